"""The form by which a page is called good or bad for the topic."""

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.errors import CollectionBusy, UsageError
from telusur.web import urls
from telusur.web.forms import read_form
from telusur.web.page_reader import page_reader_of
from telusur.web.problems import wants_json
from telusur.web.render import JSONAnswer

SAID = {"good": True, "bad": False, "forget": None}


async def put_mark(request: Request) -> Response:
    """Keep or forget what a person says about a page."""
    form = await read_form(request)
    url, said = form.get("url", ""), form.get("said", "")
    if said not in SAID:
        raise HTTPException(400, "A page is called good or bad, or forget takes it back.")
    try:
        await run_in_threadpool(page_reader_of(request).mark, url, SAID[said])
    except CollectionBusy:
        raise HTTPException(
            409, "A crawl is writing this collection; mark the page when it has ended."
        ) from None
    except UsageError as error:
        raise HTTPException(400, str(error)) from None
    if wants_json(request):
        return JSONAnswer({"ok": True, "url": url, "said": said})
    return RedirectResponse(urls.page_url(url), 303)
