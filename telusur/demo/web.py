"""The demo web in memory: nine small sites that answer requests without a network."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from telusur.demo.records import Answer, SiteEntry, Truth
from telusur.demo.site import Site
from telusur.demo.sites import BUILDERS, build_index

# Patterns of the endless URLs; a crawl that excludes them ends by itself.
ENDLESS = (r"/products\?", r"/calendar/(?!2026/\d\d$)")

_NO_HEADERS: Mapping[str, str] = {}
_INDEX_NAMES = ("127.0.0.1", "localhost")


def localhost(port: int) -> Callable[[str], str]:
    """Return the names of the sites on one port: `http://news.localhost:8800`."""
    return lambda site: (
        f"http://127.0.0.1:{port}" if site == "index" else f"http://{site}.localhost:{port}"
    )


class DemoWeb:
    """All sites of the demo web; the same `base` always gives the same bytes.

    `base` maps the name of a site to its origin, and "index" to the origin of the list of sites.
    """

    def __init__(self, base: Callable[[str], str]) -> None:
        self.sites: dict[str, Site] = {}
        for name, (language, build) in BUILDERS.items():
            self.sites[name] = Site(name, language, base)
            build(self.sites[name])
        self.origins = {name: base(name) for name in self.sites}
        self.start_urls = [origin + "/" for origin in self.origins.values()]
        self.truth: tuple[Truth, ...] = tuple(
            entry.truth
            for site in self.sites.values()
            for entry in site.entries.values()
            if entry.truth
        )
        self._index = Site("index", "en", base)
        build_index(self._index, self.origins, self.truth)
        self._by_host = {urlsplit(base(name)).netloc: site for name, site in self.sites.items()}
        self._by_host[urlsplit(base("index")).netloc] = self._index

    def answer(
        self, host: str, target: str, headers: Mapping[str, str] = _NO_HEADERS, attempt: int = 0
    ) -> Answer:
        """Answer a GET for a path with its query.

        `host` is the Host header, `headers` have lower-case names, and `attempt` is how often the
        same was requested before: a page that fails at first succeeds later.
        """
        site = self.site_of(host)
        if site is None:
            names = ", ".join(self._by_host)
            return _plain(421, f"This is not {host}; here are only: {names}\n")
        entry = site.find(target)
        if attempt < entry.fails:
            return _plain(503, "Too busy, try again in a second.\n", ("Retry-After", "1"))
        return _answer_with(entry, headers)

    def site_of(self, host: str) -> Site | None:
        """Return the site a Host header names, the index for the bare address, or None."""
        site = self._by_host.get(host.lower())
        if site is None and host.lower().rpartition(":")[0] in _INDEX_NAMES:
            return self._index
        return site


def _plain(status: int, text: str, *headers: tuple[str, str]) -> Answer:
    return Answer(status, (("Content-Type", "text/plain; charset=utf-8"), *headers), text.encode())


def _answer_with(entry: SiteEntry, headers: Mapping[str, str]) -> Answer:
    if entry.status != 200:
        return Answer(
            entry.status, (("Content-Type", entry.content_type), *entry.headers), entry.body
        )
    validators = (("ETag", entry.etag), ("Last-Modified", entry.last_modified))
    if _is_unchanged(entry, headers):
        return Answer(304, validators, b"")
    lines = (("Content-Type", entry.content_type), *validators, *entry.headers)
    if not entry.is_compressible:
        return Answer(200, lines, entry.body)
    lines += (("Vary", "Accept-Encoding"),)
    if "gzip" in headers.get("accept-encoding", ""):
        return Answer(200, (*lines, ("Content-Encoding", "gzip")), entry.gzipped)
    return Answer(200, lines, entry.body)


def _is_unchanged(entry: SiteEntry, headers: Mapping[str, str]) -> bool:
    """Compare the validators; If-None-Match wins (RFC 9110 section 13.2.2)."""
    if tags := headers.get("if-none-match"):
        return entry.etag in tags or tags.strip() == "*"
    return headers.get("if-modified-since") == entry.last_modified
