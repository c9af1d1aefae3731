"""The frame of a site: what was learned about it while crawling."""

from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.reports.learned_sites.site_frame import SiteFrame
from telusur.web.frame import urls
from telusur.web.frame.params import read_params
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import clean_line
from telusur.web.page import params as page_params
from telusur.web.page.reader import StoredPageReader, page_reader_of
from telusur.web.search.pages import SITES_LISTED
from telusur.web.site.tabs import view_site_tabs

# How long a shown selector may be: its end, which names the element itself.
_SELECTOR = 90


async def show_frame(request: Request) -> Response:
    """Show what was learned about a site."""
    frame = await _read(request)
    collection = page_reader_of(request)
    sites = [] if frame.site else await run_in_threadpool(collection.sites, SITES_LISTED)
    values: dict[str, Any] = {
        "site": clean_line(frame.site, 80),
        "tabs": view_site_tabs(frame.site, urls.SITE_FRAME),
        "frame": frame,
        "sites": [
            (clean_line(site, 80), number, urls.of_site(urls.SITE_FRAME, site))
            for site, number in sites
        ],
        "texts": [(each, _end_of(each.selector)) for each in frame.texts],
        "places": [(each, _end_of(each.selector)) for each in frame.places],
        "facts": [(each, _end_of(each.selector)) for each in frame.facts],
        "looked_at": [
            (clean_line(url, 120), urls.of_page(urls.PAGE_BLOCKS, url)) for url in frame.looked_at
        ],
    }
    twin = urls.of_site(urls.twin_of(urls.SITE_FRAME), frame.site)
    return render_html(request, "site_frame.html", twin, values)


async def frame_json(request: Request) -> Response:
    """Send what was learned about a site."""
    return JSONAnswer({"ok": True, **asdict(await _read(request))})


async def _read(request: Request) -> SiteFrame:
    """Return the frame of the site that a request names; raise 404 for an unknown site."""
    site = read_params(page_params.SITE, request.query_params)["site"]
    if not site:
        return SiteFrame("", 0, is_used=False)
    return await run_in_threadpool(_read_of, page_reader_of(request), site)


def _read_of(collection: StoredPageReader, site: str) -> SiteFrame:
    frame = collection.site_frame(site)
    if not frame.pages and not collection.audit(site, 1).states:
        raise HTTPException(404, f"This collection has no site {clean_line(site, 80)}")
    return frame


def _end_of(selector: str) -> str:
    """Return the inner elements of a selector, as many as fit on a line."""
    parts = selector.split(" > ")
    shown = parts[-1:]
    for part in reversed(parts[:-1]):
        if len(" > ".join([part, *shown])) > _SELECTOR:
            return "… > " + " > ".join(shown)
        shown.insert(0, part)
    return " > ".join(shown)
