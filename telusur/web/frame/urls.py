"""The addresses of the workbench, built in one place, and which crawled URLs may be linked."""

import re
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote, urlencode

from ada_url import URL
from starlette.requests import Request

from telusur.graph.contract import MapRequest
from telusur.search.columns import ColumnRequest
from telusur.search.request import SearchRequest
from telusur.web.frame.params import write_column_search, write_map, write_search

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
PAGE_POSTS = "/page/posts"
PAGE_RECORD = "/page/record"
PAGE_SCORE = "/page/score"
PAGE_WARC = "/page/record.warc.gz"
PAGE_LABEL = "/page/label"
PAGE_MARK = "/page/mark"
SITES = "/sites"
SITE = "/site"
SITE_CSV = "/site.csv"
SITE_FILES = "/site/files"
SITE_FRAME = "/site/frame"
SITE_CLUSTERS = "/site/clusters"
SITE_CLUSTER_PAGE = "/site/clusters/page"
SITE_CLUSTER_COPY = "/site/clusters/copy"
SITE_CLUSTER_DATA = "/site/clusters/training.jsonl.gz"
SITE_CLUSTER_LABEL = "/site/clusters/label"
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
KEY = "/key"
# A server of several collections has each of them below this path: /in/NAME/search.
COLLECTIONS = "/in"

# Addresses that belong to the whole server, not to a collection.
_WHOLE_SERVER = ("/crawls", "/collections", "/log", "/key", "/static/", "/favicon", "/in/")
# The path of the shown collection; empty if the server has only one.
PREFIX: ContextVar[str] = ContextVar("prefix", default="")

# An http(s) URL without characters that a browser would read differently from us.
_WEB_URL = re.compile(r"https?://[^\s\\\x00-\x20\x7f]+", re.IGNORECASE)
_FILTER_VALUE = re.compile(r"[^\s\"()\x00-\x20]{1,300}")


def here(path: str) -> str:
    """Return an address inside the shown collection."""
    return path if path.startswith(_WHOLE_SERVER) else PREFIX.get() + path


def address_of(road: str, request: SearchRequest, **more: Any) -> str:
    """Return the address of a search on a route, without defaults."""
    added = {name: str(value) for name, value in more.items()}
    return _with_query(road, write_search(request) | added)


def search_url(query: str = "", **wishes: Any) -> str:
    """Return the address of a page of hits; `wishes` are fields of `SearchRequest`."""
    return address_of(SEARCH, SearchRequest(query, **wishes))


def feed_url(query: str) -> str:
    """Return the address of a query's feed."""
    return address_of(SEARCH_RSS, SearchRequest(query))


def narrowed(query: str, name: str, value: str) -> str | None:
    """Return a query with a filter, or None if the value cannot be written in a query."""
    if _FILTER_VALUE.fullmatch(value):
        return f"{query} {name}:{value}".strip()
    return f'{query} {name}:"{value}"'.strip() if name == "topic" and '"' not in value else None


def site_url(site: str, query: str = "") -> str | None:
    """Return the search within one site, or None if its name cannot be written in a query."""
    asked = narrowed(query, "site", site)
    return search_url(asked) if asked else None


def page_url(url: str) -> str:
    """Return the address of the stored document of a URL."""
    return _with_query(PAGE, {"url": url})


def page_json_url(url: str) -> str:
    """Return the address of the same document as JSON."""
    return _with_query(PAGE_JSON, {"url": url})


def columns_url(request: ColumnRequest, road: str = COLUMNS) -> str:
    """Return the address of a search in columns on a route."""
    return _with_query(road, write_column_search(request))


def copy_url(url: str, query: str = "", road: str = COPY, view: str = "") -> str:
    """Return the address of a view of the stored copy, with the words of a query marked."""
    return of_page(road, url, q=query, view=view)


def of_page(road: str, url: str, **wishes: str | int) -> str:
    """Return the address of a route about one page; empty values are left out."""
    return _with_query(road, {"url": url, **_wished(wishes)})


def of_site(road: str, site: str, **wishes: str | int) -> str:
    """Return the address of a route about one site; empty values are left out."""
    return _with_query(road, {"site": site, **_wished(wishes)})


def twin_of(road: str) -> str:
    """Return the route of the JSON version."""
    return f"{road}.json"


def _wished(wishes: dict[str, str | int]) -> dict[str, str]:
    return {name: str(value) for name, value in wishes.items() if value}


def crawl_url(name: str, road: str = CRAWL, **params: str) -> str:
    """Return an address about the crawls of a collection."""
    given = {key: value for key, value in params.items() if value}
    return _with_query(road.replace("{name}", quote(name, safe="")), given)


def new_crawl_url(name: str, *, allow_private: bool = False) -> str:
    """Return the address of the form for a new crawl, filled in as for the last one."""
    return _with_query(
        NEW_CRAWL, {"name": name} | ({"allow_private": "on"} if allow_private else {})
    )


def key_url(goal: str, *, wrong: bool = False) -> str:
    """Return the address of the page that asks for the key and then leads to `goal`."""
    return _with_query(KEY, {"next": goal} | ({"wrong": "1"} if wrong else {}))


def asked_path(request: Request) -> str:
    """Return the path of a request as it was written, without its query."""
    raw = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    return str(raw.decode("ascii", "replace"))


def collection_url(name: str) -> str:
    """Return the home page of one of several collections."""
    return f"{COLLECTIONS}/{quote(name, safe='')}{HOME}"


def map_url(request: MapRequest | None = None, road: str = MAP, **more: str) -> str:
    """Return the address of a map, or of the same map on another route."""
    wanted = write_map(request or MapRequest())
    return _with_query(road, wanted | {name: value for name, value in more.items() if value})


def around_url(url: str) -> str:
    """Return the address of the map around a page."""
    return map_url(MapRequest(around=url), selected=url)


def branches_url(url: str, start: int = 0) -> str:
    """Return the address of the outline opened at a page, from the branch `start` on."""
    wanted = {"selected": url, "start": str(start) if start else ""}
    return _with_query(TREE, {name: value for name, value in wanted.items() if value})


def tree_json_url(url: str) -> str:
    """Return the address of the pages found on a page, or of the start URLs, as JSON."""
    return _with_query(TREE_JSON, {"url": url} if url else {})


def static_url(path: str) -> str:
    """Return the address of a file under static/."""
    return f"/static/{path}"


def live_href(url: str) -> str | None:
    """Return a crawled URL as a browser writes it, or None if it is not http or https."""
    if not _WEB_URL.fullmatch(url):
        return None
    try:
        return str(URL(url).href)
    except ValueError:
        return None


def _with_query(path: str, params: dict[str, str]) -> str:
    path = here(path)
    return f"{path}?{urlencode(params, errors='replace')}" if params else path
