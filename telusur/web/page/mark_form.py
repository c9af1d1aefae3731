"""The form that marks a page as good or bad for the topic."""

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.errors import CollectionBusy, UsageError
from telusur.web.frame import urls
from telusur.web.frame.forms import read_form
from telusur.web.frame.problems import wants_json
from telusur.web.frame.render import JSONAnswer
from telusur.web.page.reader import page_reader_of

SAID = {"good": True, "bad": False, "forget": None}


async def put_mark(request: Request) -> Response:
    """Save or remove the mark of a page."""
    form = await read_form(request)
    url, said = form.get("url", ""), form.get("said", "")
    if said not in SAID:
        raise HTTPException(400, "said must be good, bad or forget.")
    try:
        await run_in_threadpool(page_reader_of(request).mark, url, SAID[said])
    except CollectionBusy:
        raise HTTPException(
            409, "A crawl is writing to this collection; mark the page after it has ended."
        ) from None
    except UsageError as error:
        raise HTTPException(400, str(error)) from None
    if wants_json(request):
        return JSONAnswer({"ok": True, "url": url, "said": said})
    return RedirectResponse(urls.page_url(url), 303)
