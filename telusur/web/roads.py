"""The roads of the workbench as one table: address, who answers, what may be asked, what comes.

The application and the documentation of its API are made of it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import Response

from telusur.graph.contract import MapLink, MapNode, SiteLink
from telusur.models import Hit, SearchResults, Story
from telusur.search.columns import ColumnResults
from telusur.search.completion import Suggestion
from telusur.web import api, columns, feeds, map_api, map_pages, pages, params, urls
from telusur.web.openapi import send_openapi, show_api
from telusur.web.params import Param

HTML = "text/html"
JSON = "application/json"


@dataclass(slots=True, frozen=True)
class Road:
    """One address. `answers` are the names in its JSON answer, beside `ok`, and their types.

    A road that takes POST reads its form by `telusur.web.forms.read_form`, which refuses strangers.
    """

    path: str
    answer: Callable[[Request], Awaitable[Response]]
    help: str
    params: tuple[Param, ...] = ()
    media_type: str = HTML
    answers: Mapping[str, Any] = field(default_factory=dict)
    methods: tuple[str, ...] = ("GET",)


# All that the library answers, and the wishes it was asked with.
_HITS = get_type_hints(SearchResults) | {
    "did_you_mean": str | None,
    "per_site": int,
    "group": str,
    "model": str,
    "next_url": str | None,
}
_STATUS = dict.fromkeys(
    ("found", "waiting", "leased", "done", "failed", "skipped", "pages", "documents"), int
)
_MAP = {
    "nodes": tuple[MapNode, ...], "links": tuple[MapLink, ...],
    "sites": tuple[map_api.SiteView, ...], "pages": int, "fitting": int, "all_links": int,
}  # fmt: skip
_SITE_MAP = {
    "sites": tuple[map_api.SiteView, ...], "links": tuple[SiteLink, ...], "pages": int,
    "all_sites": int, "pages_read": int,
}  # fmt: skip
_BRANCHES = tuple[map_api.BranchView, ...]
_MAP_PAGE = (*params.MAP, params.VIEW, params.SELECTED, params.START)

ROADS = (
    Road(urls.SEARCH_JSON, api.search_json, "Ranked hits.", params.SEARCH, JSON, _HITS),
    Road(urls.SUGGEST_JSON, feeds.suggest_json, "Words, phrases and titles while somebody types.",
         params.SUGGEST, JSON, {"query": str, "suggestions": tuple[Suggestion, ...]}),
    Road(urls.PAGE_JSON, api.page_json, "A stored document and the story of its URL.", params.PAGE,
         JSON, {"url": str, "document": api.StoredDocument | None, "story": Story | None}),
    Road(urls.RELATED_JSON, api.related_json, "The pages most like a stored page.", params.RELATED,
         JSON, {"url": str, "hits": tuple[Hit, ...]}),
    Road(urls.COLUMNS_JSON, columns.columns_json, "Documents with something in these columns.",
         params.COLUMN_SEARCH, JSON, {**get_type_hints(ColumnResults), "next_url": str | None}),
    Road(urls.SITES_JSON, api.sites_json, "Documents per site, the largest first.", (), JSON,
         {"sites": tuple[api.SiteCount, ...], "has_more": bool}),
    Road(urls.GRAPH_JSON, map_api.graph_json, "The best pages and the links between them.",
         params.MAP, JSON, _MAP),
    Road(urls.GRAPH_SITES_JSON, map_api.graph_sites_json, "The sites and how often they link to "
         "each other.", (), JSON, _SITE_MAP),
    Road(urls.GRAPHML, map_api.send_graphml, "The same map as GraphML.", params.MAP,
         "application/xml"),
    Road(urls.GRAPH_SVG, map_api.send_svg, "The same map as a picture.", params.MAP,
         "image/svg+xml"),
    Road(urls.GRAPH_URLS, map_api.send_urls, "The URLs of the same map, one a line.", params.MAP,
         "text/plain"),
    Road(urls.TREE_JSON, map_api.tree_json, "The pages that were found on a page.",
         params.BRANCHES, JSON, {"url": str, "branches": _BRANCHES, "start": int, "total": int}),
    Road(urls.WAY_JSON, map_api.way_json, "How a page was found, from its start URL on.",
         params.PAGE, JSON, {"way": _BRANCHES}),
    Road(urls.STATUS_JSON, api.status_json, "How far the crawl is.", (), JSON,
         {"name": str, "version": str, "is_crawling": bool, "read_only": bool, **_STATUS}),
    Road(urls.VERSIONS_JSON, api.versions_json, "Versions of Telusur and what it stands on.",
         (), JSON),
    Road(urls.OPENAPI, send_openapi, "This list as an OpenAPI 3.1 document.", (), JSON),
    Road(urls.SEARCH_RSS, feeds.send_feed, "The best hits of a query as an RSS 2.0 feed.",
         params.FEED, "application/rss+xml"),
    Road(urls.SUGGEST, feeds.suggest, "Suggestions as browsers want them (OpenSearch).",
         params.SUGGEST, "application/x-suggestions+json"),
    Road(urls.OPENSEARCH, feeds.send_opensearch, "With this a browser adds the collection to its "
         "search engines.", (), "application/opensearchdescription+xml"),
    Road(urls.HOME, pages.show_home, "Search box, how far the crawl is, the largest sites."),
    Road(urls.SEARCH, pages.show_search, "Ranked hits, and ways to narrow the search.",
         (*params.SEARCH, params.WHY)),
    Road(urls.PAGE, pages.show_page, "A stored document and the story of its URL.", params.PAGE),
    Road(urls.COPY, pages.show_copy, "The stored copy of a page, with words marked.", params.COPY),
    Road(urls.COPY_CONTENT, pages.send_copy, "What stands in the frame of the stored copy.",
         params.COPY),
    Road(urls.COLUMNS, columns.show_columns, "Search in columns of the catalogue.",
         params.COLUMN_SEARCH),
    Road(urls.MAP, map_pages.show_map, "The pages and their links as a map.", _MAP_PAGE),
    Road(urls.TREE, map_pages.show_tree, "How the pages were found, as an outline.", _MAP_PAGE),
    Road(urls.SITES, pages.show_sites, "Documents per site."),
    Road(urls.API, show_api, "This list for people."),
    Road(urls.ABOUT, pages.show_about, "Keys, what to type, versions."),
)  # fmt: skip
