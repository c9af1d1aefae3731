"""The addresses of the workbench, built in one place, and which crawled URLs may be linked."""

import re
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote, urlencode

from ada_url import URL

from telusur.graph.contract import MapRequest
from telusur.search.columns import ColumnRequest
from telusur.search.request import SearchRequest
from telusur.web.params import write_column_search, write_map, write_search

HOME = "/"
SEARCH = "/search"
SEARCH_JSON = "/search.json"
SEARCH_RSS = "/search.rss"
SUGGEST = "/suggest"
SUGGEST_JSON = "/suggest.json"
PAGE = "/page"
PAGE_JSON = "/page.json"
RELATED_JSON = "/related.json"
COLUMNS = "/columns"
COLUMNS_JSON = "/columns.json"
COPY = "/copy"
COPY_CONTENT = "/copy/content"
PAGE_BLOCKS = "/page/blocks"
PAGE_LINKS = "/page/links"
PAGE_PARTS = "/page/parts"
PAGE_RECORD = "/page/record"
PAGE_SCORE = "/page/score"
PAGE_WARC = "/page/record.warc.gz"
PAGE_LABEL = "/page/label"
PAGE_MARK = "/page/mark"
SITES = "/sites"
SITE = "/site"
SITE_CSV = "/site.csv"
SITE_FILES = "/site/files"
ABOUT = "/about"
API = "/api"
OPENAPI = "/openapi.json"
STATUS_JSON = "/status.json"
SITES_JSON = "/sites.json"
VERSIONS_JSON = "/-/versions.json"
OPENSEARCH = "/opensearch.xml"
FAVICON = "/favicon.svg"
MAP = "/map"
TREE = "/tree"
TREE_JSON = "/tree.json"
WAY_JSON = "/tree/way.json"
GRAPH_JSON = "/graph.json"
GRAPH_SITES_JSON = "/graph/sites.json"
GRAPHML = "/graph.graphml"
GRAPH_SVG = "/graph.svg"
GRAPH_URLS = "/graph/urls.txt"
CRAWLS = "/crawls"
CRAWLS_JSON = "/crawls.json"
NEW_CRAWL = "/crawls/new"
NEW_CRAWL_JSON = "/crawls/new.json"
CHECK_JSON = "/crawls/check.json"
CRAWL = "/crawls/{name}"
CRAWL_JSON = "/crawls/{name}.json"
CRAWL_EVENTS = "/crawls/{name}/events"
CRAWL_URLS = "/crawls/{name}/urls"
CRAWL_URLS_JSON = "/crawls/{name}/urls.json"
STEER = "/crawls/{name}/steer"
COLLECTIONS_JSON = "/collections.json"
COMPARISON = "/comparison"
COMPARISON_JSON = "/comparison.json"
LOGIN = "/login"
LOGOUT = "/logout"
COLLECTIONS = "/in"
"""A server of several collections shows each of them below here: /in/NAME/search."""

# What is there once for the whole server, not for each collection.
_WHOLE_SERVER = ("/crawls", "/collections", "/log", "/static/", "/favicon", "/in/")
PREFIX: ContextVar[str] = ContextVar("prefix", default="")
"""Where the collection lies that is shown; empty where the server has only one."""

# What a browser takes for an http(s) URL with nothing in it that it would read differently from us.
_WEB_URL = re.compile(r"https?://[^\s\\\x00-\x20\x7f]+", re.IGNORECASE)
_FILTER_VALUE = re.compile(r"[^\s\"()\x00-\x20]{1,300}")


def here(path: str) -> str:
    """Return an address inside the collection that is shown now."""
    return path if path.startswith(_WHOLE_SERVER) else PREFIX.get() + path


def address_of(road: str, request: SearchRequest, **more: Any) -> str:
    """Return a search under a road; what is at its default is left out."""
    added = {name: str(value) for name, value in more.items()}
    return _with_query(road, write_search(request) | added)


def search_url(query: str = "", **wishes: Any) -> str:
    """Return the address of a page of hits; wishes have the names of `SearchRequest`."""
    return address_of(SEARCH, SearchRequest(query, **wishes))


def search_json_url(query: str = "", **wishes: Any) -> str:
    """Return the address of the same hits as JSON."""
    return address_of(SEARCH_JSON, SearchRequest(query, **wishes))


def feed_url(query: str) -> str:
    """Return the address of a query's feed."""
    return address_of(SEARCH_RSS, SearchRequest(query))


def narrowed(query: str, name: str, value: str) -> str | None:
    """Return a query with a filter, or None where the value cannot stand in a query."""
    if _FILTER_VALUE.fullmatch(value):
        return f"{query} {name}:{value}".strip()
    return f'{query} {name}:"{value}"'.strip() if name == "topic" and '"' not in value else None


def site_url(site: str, query: str = "") -> str | None:
    """Return the search within one site, or None where its name cannot stand in a query."""
    asked = narrowed(query, "site", site)
    return search_url(asked) if asked else None


def page_url(url: str) -> str:
    """Return the address of the stored document of a URL."""
    return _with_query(PAGE, {"url": url})


def page_json_url(url: str) -> str:
    """Return the address of the same document as JSON."""
    return _with_query(PAGE_JSON, {"url": url})


def columns_url(request: ColumnRequest, road: str = COLUMNS) -> str:
    """Return a search in columns under a road."""
    return _with_query(road, write_column_search(request))


def copy_url(url: str, query: str = "", road: str = COPY, view: str = "") -> str:
    """Return the address of the stored copy in one of its views, the words of a query marked."""
    return of_page(road, url, q=query, view=view)


def of_page(road: str, url: str, **wishes: str | int) -> str:
    """Return a road about one page; what is empty is left out."""
    return _with_query(road, {"url": url, **_wished(wishes)})


def of_site(road: str, site: str, **wishes: str | int) -> str:
    """Return a road about one site; what is empty is left out."""
    return _with_query(road, {"site": site, **_wished(wishes)})


def twin_of(road: str) -> str:
    """Return the road of the same as JSON."""
    return f"{road}.json"


def _wished(wishes: dict[str, str | int]) -> dict[str, str]:
    return {name: str(value) for name, value in wishes.items() if value}


def crawl_url(name: str, road: str = CRAWL, **params: str) -> str:
    """Return an address about the crawls of a collection."""
    given = {key: value for key, value in params.items() if value}
    return _with_query(road.replace("{name}", quote(name, safe="")), given)


def new_crawl_url(name: str) -> str:
    """Return the form of a new crawl, filled as for the last one of a collection."""
    return _with_query(NEW_CRAWL, {"name": name})


def collection_url(name: str) -> str:
    """Return the home page of one of several collections."""
    return f"{COLLECTIONS}/{quote(name, safe='')}{HOME}"


def map_url(request: MapRequest | None = None, road: str = MAP, **more: str) -> str:
    """Return the address of a map, or of the same under another road."""
    wanted = write_map(request or MapRequest())
    return _with_query(road, wanted | {name: value for name, value in more.items() if value})


def around_url(url: str) -> str:
    """Return the address of the map around a page."""
    return map_url(MapRequest(around=url), selected=url)


def branches_url(url: str, start: int = 0) -> str:
    """Return the address of the outline opened at a page, its branches from one on."""
    wanted = {"selected": url, "start": str(start) if start else ""}
    return _with_query(TREE, {name: value for name, value in wanted.items() if value})


def tree_json_url(url: str) -> str:
    """Return the address of the pages found on a page, or of the start URLs, as JSON."""
    return _with_query(TREE_JSON, {"url": url} if url else {})


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


def _with_query(path: str, params: dict[str, str]) -> str:
    path = here(path)
    return f"{path}?{urlencode(params, errors='replace')}" if params else path
