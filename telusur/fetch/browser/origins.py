"""The same-origin policy for responses that we give: who asks, what is sent, who may read.

Chromium judges responses by the URL it requested. Two things would get past it: Playwright lets
everybody read a response without CORS headers, and we follow redirects, so the browser does not see
where a response came from. Both are corrected here (Fetch standard, 3.2 and 4.4).
"""

from dataclasses import dataclass

from telusur.crawl.urls.identity import host_of
from telusur.models import Page

# A value that no origin can have: it is neither `null` nor `*` and has no scheme.
NOBODY = "nobody"
ALLOW_ORIGIN = "access-control-allow-origin"
ANOTHER_ORIGIN = "another origin, which does not let this page read it"
NOT_AGREED = "another origin, which does not agree to these headers"
READ_BY_SCRIPTS = frozenset(("xhr", "fetch"))
# Headers that a page may send to any host without a preflight request.
_SAFE_HEADERS = frozenset(("accept", "accept-language", "content-language", "origin", "referer"))
_NO_ORIGIN = "null"

Headers = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Asking:
    """One request of a page, through all its redirects."""

    # Scheme, name and port of the page.
    page_origin: str
    kind: str
    url: str
    headers: Headers
    # The page asks its own host: only then are credentials of the crawl sent.
    is_own: bool = False
    # A redirect led away from the host that the browser requested.
    has_left: bool = False

    @classmethod
    def of(cls, page_url: str, kind: str, url: str, headers: Headers) -> "Asking":
        """Start with the request of the browser; a frame without an origin says so itself."""
        origin = _value(headers, "origin")
        is_own = host_of(url) == host_of(page_url) and origin in ("", host_of(page_url))
        return cls(host_of(page_url), kind, url, headers, is_own)

    @property
    def needs_consent(self) -> bool:
        """Tell whether a preflight is needed, for headers of a script of another origin."""
        return bool(_value(self.headers, "origin")) and not self.is_own and bool(self._unsafe())

    def consent_headers(self) -> Headers:
        """Return the headers of the preflight request."""
        names = ",".join(sorted(self._unsafe()))
        return (
            ("Origin", _value(self.headers, "origin")),
            ("Access-Control-Request-Method", "GET"),
            ("Access-Control-Request-Headers", names),
        )

    def has_consent(self, answer: Page) -> bool:
        """Tell whether a host agreed to the headers."""
        is_fine = answer.status is not None and 200 <= answer.status < 300
        agreed = {
            name.strip().lower()
            for name in answer.header("access-control-allow-headers").split(",")
        }
        asked = self._unsafe()
        is_agreed = asked <= agreed or ("*" in agreed and "authorization" not in asked)
        origins = ("*", _value(self.headers, "origin"))
        return is_fine and answer.header(ALLOW_ORIGIN).strip() in origins and is_agreed

    @property
    def cache_key(self) -> str:
        """Return the cache key of a response, which depends on who asks."""
        return f"{self.page_origin if self.is_own else _value(self.headers, 'origin')} {self.url}"

    def follow(self, url: str) -> None:
        """Follow a redirect; credentials for one host are not sent to another."""
        if host_of(url) != host_of(self.url):
            was_foreign = host_of(self.url) != self.page_origin
            self.headers = tuple(
                header for header in self.headers if header[0].lower() in _SAFE_HEADERS - {"origin"}
            )
            if self.kind in READ_BY_SCRIPTS:
                self.headers += (("Origin", _NO_ORIGIN if was_foreign else self.page_origin),)
            self.is_own, self.has_left = False, True
        self.url = url

    def may_be_given(self, page: Page, asked_url: str) -> bool:
        """Tell whether the browser may get a response as if it came from the requested URL.

        It checks responses of other hosts itself. After a redirect to another host, the response
        looks like the page's own, which a script could read.
        """
        if not self.has_left or host_of(asked_url) != self.page_origin:
            return True
        if page.header(ALLOW_ORIGIN).strip() in ("*", self.page_origin):
            return True
        if self.kind == "script":
            return "javascript" in page.content_type or "ecmascript" in page.content_type
        return self.kind == "stylesheet" and page.content_type == "text/css"

    def _unsafe(self) -> set[str]:
        return {name.lower() for name, _ in self.headers} - _SAFE_HEADERS


def with_policy(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers of a response such that Playwright adds no CORS permission."""
    return headers if ALLOW_ORIGIN in headers else headers | {ALLOW_ORIGIN: NOBODY}


def _value(headers: Headers, wanted: str) -> str:
    return next((value.strip() for name, value in headers if name.lower() == wanted), "")
