"""The addresses of the workbench, built in one place, and which crawled URLs may be linked."""

import re
from urllib.parse import urlencode

from ada_url import URL

from telusur.web.params import DEFAULT_LIMIT

HOME = "/"
SITES = "/sites"
ABOUT = "/about"
STATUS_JSON = "/status.json"
SITES_JSON = "/sites.json"
VERSIONS_JSON = "/-/versions.json"
OPENSEARCH = "/opensearch.xml"
FAVICON = "/favicon.svg"

# What a browser takes for an http(s) URL with nothing in it that it would read differently from us.
_WEB_URL = re.compile(r"https?://[^\s\\\x00-\x20\x7f]+", re.IGNORECASE)
_SITE_NAME = re.compile(r"[^\s\"\x00-\x20]{1,300}")


def search_url(query: str = "", page: int = 1, limit: int = DEFAULT_LIMIT) -> str:
    """Return the address of a page of hits; what is at its default is left out."""
    return _with_query("/search", _search_params(query, page, limit))


def search_json_url(query: str = "", page: int = 1, limit: int = DEFAULT_LIMIT) -> str:
    """Return the address of the same hits as JSON."""
    return _with_query("/search.json", _search_params(query, page, limit))


def site_url(site: str, query: str = "") -> str | None:
    """Return the search within one site, or None where its name cannot stand in a query."""
    if not _SITE_NAME.fullmatch(site):
        return None
    return search_url(f"{query} site:{site}".strip())


def page_url(url: str) -> str:
    """Return the address of the stored document of a URL."""
    return _with_query("/page", {"url": url})


def page_json_url(url: str) -> str:
    """Return the address of the same document as JSON."""
    return _with_query("/page.json", {"url": url})


def static_url(path: str) -> str:
    """Return the address of a file under static/."""
    return f"/static/{path}"


def live_href(url: str) -> str | None:
    """Return a crawled URL as a browser writes it, or None: only http and https may be linked."""
    if not _WEB_URL.fullmatch(url):
        return None
    try:
        return str(URL(url).href)
    except ValueError:
        return None


def _search_params(query: str, page: int, limit: int) -> dict[str, str]:
    params = {"q": query} if query else {}
    if page != 1:
        params["page"] = str(page)
    if limit != DEFAULT_LIMIT:
        params["limit"] = str(limit)
    return params


def _with_query(path: str, params: dict[str, str]) -> str:
    return f"{path}?{urlencode(params, errors='replace')}" if params else path
