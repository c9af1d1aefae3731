"""The gate to an archive: a crawl is answered by what another collection keeps, without network."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from telusur.adapters.sqlite_reader import SqliteReader
from telusur.crawl.host_terms import Wire
from telusur.crawl.politeness import Clock
from telusur.crawl.urls import host_of, normalize_url
from telusur.models import Page, Reason, url_id_of

NOT_FOUND = 404
ROBOTS = "/robots.txt"


class ReplayClient:
    """Answers as `HttpClient` does, from the newest answers in a collection's archive."""

    def __init__(self, directory: Path, clock: Clock) -> None:
        self._reader = SqliteReader(directory)
        self._clock = clock

    def knows(self, url: str) -> bool:
        """Tell whether the archive has an answer for this URL."""
        key = normalize_url(url)
        return key is not None and self._reader.has_page(url_id_of(key))

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
    ) -> Page:
        """Return what was answered then, as if it were now; the other arguments change nothing.

        Only what nobody `wants` loses its body, as it would on the way.
        """
        now = self._clock()
        page = self._robots(url) if urlsplit(url).path == ROBOTS else self._archived(url)
        if page.status is not None and wants and not wants(page.status, page.content_type):
            page = replace(page, body=b"", reason=Reason.CONTENT_TYPE)
        return replace(page, fetched_at=now)

    def _archived(self, url: str) -> Page:
        key = normalize_url(url)
        page = self._reader.page(url_id_of(key), url) if key is not None else None
        return page or Page(url, NOT_FOUND, status_line="HTTP/1.1 404 Not in the archive")

    def _robots(self, url: str) -> Page:
        stored = self._reader.robots(host_of(url))
        if stored is None or stored.status is None:
            return Page(url, NOT_FOUND, status_line="HTTP/1.1 404 Not in the archive")
        line = f"HTTP/1.1 {stored.status} From the archive"
        return Page(url, stored.status, body=stored.data, status_line=line)

    def close(self) -> None:
        """Close the archive."""
        self._reader.close()
