"""The gate to an archive: a crawl replays the pages of another collection, without network."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.hosts.terms import Wire
from telusur.crawl.urls.identity import former_key_of, host_of, normalize_url
from telusur.models import Page, Reason, url_id_of
from telusur.store.reader import CatalogueReader

NOT_FOUND = 404
ROBOTS = "/robots.txt"


class ReplayClient:
    """Works like `HttpClient`, with the newest responses in the archive of a collection."""

    def __init__(self, reader: CatalogueReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    def knows(self, url: str) -> bool:
        """Tell whether the archive has a response for this URL."""
        url_id = self._id_of(url)
        if url_id is not None and self._reader.has_page(url_id):
            return True
        return self._reader.style_sheet(url) is not None

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
        with_cookies: bool = True,
        method: str = "GET",
        public_only: bool = False,
    ) -> Page:
        """Return the archived response as if it came now; the other arguments change nothing.

        Only a response that is not wanted (`wants`) loses its body, as in a download.
        """
        now = self._clock()
        page = self._robots(url) if urlsplit(url).path == ROBOTS else self._archived(url)
        if page.status is not None and wants and not wants(page.status, page.content_type):
            page = replace(page, body=b"", reason=Reason.CONTENT_TYPE)
        return replace(page, fetched_at=now)

    def _archived(self, url: str) -> Page:
        url_id = self._id_of(url)
        page = self._reader.page(url_id, url) if url_id is not None else None
        if page is None and (sheet := self._reader.style_sheet(url)) is not None:
            page = sheet.page
        return page or Page(url, NOT_FOUND, status_line="HTTP/1.1 404 Not in the archive")

    def _id_of(self, url: str) -> bytes | None:
        key = normalize_url(url)
        if key is None or former_key_of(key) is None:
            return url_id_of(key) if key else None
        return self._reader.known_id([key])

    def _robots(self, url: str) -> Page:
        stored = self._reader.robots(host_of(url))
        if stored is None or stored.status is None:
            return Page(url, NOT_FOUND, status_line="HTTP/1.1 404 Not in the archive")
        line = f"HTTP/1.1 {stored.status} From the archive"
        return Page(url, stored.status, body=stored.data, status_line=line)

    def close(self) -> None:
        """Close the archive."""
        self._reader.close()
