"""The form that corrects labels of blocks."""

import re

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.errors import UsageError
from telusur.web.frame import urls
from telusur.web.frame.forms import read_form
from telusur.web.frame.problems import wants_json
from telusur.web.frame.render import JSONAnswer
from telusur.web.frame.text import clean_line
from telusur.web.page.reader import page_reader_of

_FIELD = re.compile(r"label-([0-9]{1,6})")


async def put_labels(request: Request) -> Response:
    """Save the labels that were changed; everything else stays as it is."""
    form = await read_form(request)
    url = form.get("url", "")
    given = {
        int(match[1]): label for name, label in form.items() if (match := _FIELD.fullmatch(name))
    }
    collection = page_reader_of(request)
    found = await run_in_threadpool(collection.blocks, url) if url else None
    if found is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    known = dict(enumerate(found.labels))
    changes = {number: label for number, label in given.items() if known.get(number) != label}
    if changes:
        try:
            await run_in_threadpool(collection.correct_labels, url, changes)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None
    if wants_json(request):
        return JSONAnswer({"ok": True, "url": url, "changed": len(changes)})
    page = form.get("page", "")
    step = page if page.isdecimal() and page != "1" else ""
    return RedirectResponse(urls.of_page(urls.PAGE_BLOCKS, url, page=step, saved=1), 303)
