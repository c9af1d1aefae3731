"""Gets one page on request: fetched through the gate, rendered if needed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from telusur.crawl.hosts.terms import TermsBook, harmless_headers
from telusur.crawl.rules.verdicts import REDIRECTS
from telusur.crawl.urls.identity import host_of, parse_url
from telusur.errors import UsageError
from telusur.extract.document import extract_document, open_page
from telusur.extract.media_types import HTML_TYPES
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.rendered import FetchPart, Rendered, RenderLimits
from telusur.extract.style.page_sheets import Sheets, SheetsMissing
from telusur.fetch.browser.renderer import NOWHERE, SteadyBrowser, find_browser, why_no_browser
from telusur.fetch.gate import make_client
from telusur.fetch.robots import MOST_REDIRECTS
from telusur.models import Block, Page, Reason
from telusur.pipeline.parsing.reading import MOST_READINGS
from telusur.pipeline.parsing.sheet_shelf import SheetFile, SheetShelf
from telusur.pipeline.style_sheets import uses_style_sheets
from telusur.settings import CrawlSettings

_DRAWN_TYPE = "text/html; charset=utf-8"


@dataclass(slots=True, frozen=True)
class OnePage:
    """A fetched page: its decoded body, or the reason there is none.

    `not_drawn` says why the page was not rendered although it should be. `blocks` are those of the
    rendered page, with style and position.
    """

    url: str
    body: bytes = b""
    content_type: str = ""
    reason: str = ""
    not_drawn: str = ""
    blocks: Sequence[Block] = ()
    # The style sheets of its site that it names, if they were asked for and it was not rendered.
    sheets: Sheets | None = None
    is_drawn: bool = False


def get_page(
    url: str, settings: CrawlSettings, *, blocks: bool = False, sheets: bool = False
) -> OnePage:
    """Fetch one page now. robots.txt is not read: a person asks, not a robot.

    With `sheets` its style sheets are fetched too, as a crawl with these settings would.
    """
    _check_browser(settings)
    wants_sheets = sheets and uses_style_sheets(settings)
    return asyncio.run(_visit(url, settings, blocks=blocks, sheets=wants_sheets))


def draw_page(page: OnePage, settings: CrawlSettings, *, blocks: bool = False) -> OnePage:
    """Render a page that was fetched before, if needed; nothing is fetched."""
    _check_browser(settings)
    if not _is_to_be_drawn(page, settings):
        return page
    shown = replace(page, url=page.url or NOWHERE)
    rendered = asyncio.run(_draw(shown, None, settings, blocks=blocks))
    return replace(_with(page, rendered), url=page.url)


def _check_browser(settings: CrawlSettings) -> None:
    if settings.render == "always" and (missing := why_no_browser(settings.browser)):
        raise UsageError(f"--render always: {missing}; or use --render auto or never.")


async def _visit(url: str, settings: CrawlSettings, *, blocks: bool, sheets: bool) -> OnePage:
    client = make_client(settings)
    hosts = TermsBook(settings, [url])

    async def fetch(
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
        is_frame: bool = False,
        is_own: bool = False,
        method: str = "GET",
    ) -> Page:
        terms = hosts.terms_for(host_of(url))
        ours = terms.headers if is_own else harmless_headers(terms.headers)
        return await client.fetch(
            url, headers=(*ours, *headers), wire=terms.wire, with_cookies=is_own, method=method
        )

    try:
        page = await _follow(url, fetch, settings, blocks=blocks)
        if sheets and page.body and _is_html(page) and not page.is_drawn:
            page = replace(page, sheets=await _fetch_sheets(page, fetch))
        return page
    finally:
        client.close()


async def _follow(url: str, fetch: FetchPart, settings: CrawlSettings, *, blocks: bool) -> OnePage:
    """Follow redirects of servers and scripts, a few times."""
    for _ in range(MOST_REDIRECTS + 1):
        page = await fetch(url, is_own=True)
        target = parse_url(page.header("location"), url) if page.status in REDIRECTS else None
        if target is None:
            got = _decoded(page, settings)
            if got.reason or not _is_to_be_drawn(got, settings):
                return got
            rendered = await _draw(got, fetch, settings, blocks=blocks)
            target = parse_url(rendered.moved_to) if rendered.moved_to else None
            if target is None or target == url:
                return _with(got, rendered)
        url = target
    return OnePage(url, reason=f"not fetched ({Reason.TOO_MANY_REDIRECTS}).")


async def _fetch_sheets(page: OnePage, fetch: FetchPart) -> Sheets:
    """Return the sheets of the site that a page names, each asked for once."""
    given: dict[str, SheetFile | None] = {}
    shelf = SheetShelf()
    for _ in range(MOST_READINGS):
        sheets = shelf.of_page(page.url, given)
        try:
            open_page(page.body, page.url, content_type=page.content_type, sheets=sheets)
        except SheetsMissing as missing:
            for url in missing.urls:
                answer = await fetch(url, is_own=host_of(url) == host_of(page.url))
                given[url] = SheetFile.of(answer)
        else:
            return sheets
    return shelf.of_page(page.url, given)


def _decoded(page: Page, settings: CrawlSettings) -> OnePage:
    if page.status is None:
        is_private = page.reason.startswith(Reason.PRIVATE_ADDRESS)
        advice = "; add --allow-private if you mean it" if is_private else ""
        return OnePage(page.url, reason=f"not fetched ({page.reason}){advice}.")
    if not 200 <= page.status < 300:
        return OnePage(page.url, reason=f"the server answered {page.status}.")
    try:
        coding = page.header("content-encoding")
        body, _ = decode_content(page.body, coding, settings.max_bytes)
    except ContentCodingError as error:
        return OnePage(page.url, reason=str(error))
    return OnePage(page.url, body, page.header("content-type"))


def _is_to_be_drawn(page: OnePage, settings: CrawlSettings) -> bool:
    """Tell whether to render: always, or for a page that is empty without JavaScript."""
    if settings.render == "never" or not _is_html(page):
        return False
    if settings.render == "always":
        return True
    return extract_document(page.body, page.url, content_type=page.content_type).needs_browser


def _is_html(page: OnePage) -> bool:
    media_type = page.content_type.partition(";")[0].strip().lower()
    return media_type in (*HTML_TYPES, "")


async def _draw(
    page: OnePage, fetch: FetchPart | None, settings: CrawlSettings, *, blocks: bool
) -> Rendered:
    if missing := why_no_browser(settings.browser):
        return Rendered(page.url, reason=missing)
    path = find_browser(settings.browser) or ""
    browser = SteadyBrowser(path, RenderLimits(settings.render_seconds))
    headers = (("Content-Type", page.content_type or "text/html"),)
    try:
        shown = Page(page.url, status=200, headers=headers, body=page.body)
        return await browser.render(shown, fetch, blocks=blocks)
    finally:
        await browser.close()


def _with(page: OnePage, rendered: Rendered) -> OnePage:
    if not rendered.html:
        return replace(page, not_drawn=rendered.reason)
    body = rendered.html.encode("utf-8", "replace")
    return OnePage(page.url, body, _DRAWN_TYPE, blocks=rendered.blocks, is_drawn=True)
