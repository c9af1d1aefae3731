"""A cache for scripts and style sheets that many pages of a site share."""

from collections import OrderedDict

from telusur.models import Page

MOST_BYTES = 32_000_000
LARGEST_BYTES = 4_000_000
FRESH_SECONDS = 600.0
KEPT_TYPES = ("script", "stylesheet")


class PartCache:
    """Keeps the most recently used responses for ten minutes, in bounded memory."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0

    def get(self, url: str, now: float) -> Page | None:
        """Return the cached response for a URL."""
        page = self._pages.get(url)
        if page is None:
            return None
        if now - page.fetched_at > FRESH_SECONDS:
            self._drop(url)
            return None
        self._pages.move_to_end(url)
        return page

    def put(self, url: str, page: Page, kind: str) -> None:
        """Store a response, if other pages may need it and it may be cached."""
        is_kept = kind in KEPT_TYPES and page.status == 200 and not page.truncated
        if not is_kept or len(page.body) > LARGEST_BYTES:
            return
        if "no-store" in page.header("cache-control").lower() or page.header("vary") == "*":
            return
        if url in self._pages:
            self._drop(url)
        self._pages[url] = page
        self._bytes += len(page.body)
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._pages)))

    def _drop(self, url: str) -> None:
        self._bytes -= len(self._pages.pop(url).body)
