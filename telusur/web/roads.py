"""The routes of the workbench as one table: address, handler, parameters, response.

The application and the documentation of its API are made from it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import Response

from telusur.extract.writing.part_records import PageParts
from telusur.graph.contract import MapLink, MapNode, SiteLink
from telusur.models import Explanation, Hit, SearchResults, Story
from telusur.reports.audit_records import SiteAudit
from telusur.reports.learned_sites.site_frame import SiteFrame
from telusur.reports.page_details import StandingView
from telusur.reports.site_files import FoundFile
from telusur.search.columns import ColumnResults
from telusur.search.help.completion import Suggestion
from telusur.store.views import CopyView, FetchView, LinkView, RecordView
from telusur.web.api import answers as api
from telusur.web.api.openapi import send_openapi, show_api
from telusur.web.frame import params, urls
from telusur.web.frame.params import Param
from telusur.web.maps import api as map_api
from telusur.web.maps import pages as map_pages
from telusur.web.page import as_json as page_json
from telusur.web.page import copy_pages, discussion
from telusur.web.page import document as page_text
from telusur.web.page import params as page_params
from telusur.web.page import sections as page_sections
from telusur.web.search import columns, feeds, pages
from telusur.web.site import frame as site_frame
from telusur.web.site import pages as site_pages
from telusur.web.site.clusters import as_json as cluster_json
from telusur.web.site.clusters import pages as cluster_pages
from telusur.web.site.clusters import params as cluster_params

HTML = "text/html"
JSON = "application/json"


@dataclass(slots=True, frozen=True)
class Road:
    """One route. `answers` are the names in its JSON response, beside `ok`, and their types.

    A route that takes POST reads its form with `telusur.web.frame.forms.read_form`, which refuses
    strangers.
    """

    path: str
    answer: Callable[[Request], Awaitable[Response]]
    help: str
    params: tuple[Param, ...] = ()
    media_type: str = HTML
    answers: Mapping[str, Any] = field(default_factory=dict)
    methods: tuple[str, ...] = ("GET",)


# All results of the library, and the options of the request.
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
    "has_topic": bool,
}  # fmt: skip
_SITE_MAP = {
    "sites": tuple[map_api.SiteView, ...], "links": tuple[SiteLink, ...], "pages": int,
    "all_sites": int, "pages_read": int,
}  # fmt: skip
_CLUSTERS = {
    **dict.fromkeys(("site", "look", "state", "problem"), str),
    **dict.fromkeys(("known", "read", "to_read", "pages", "blocks", "unclustered", "total"), int),
    "sites": tuple[str, ...],
}
_BRANCHES = tuple[map_api.BranchView, ...]
_MAP_PAGE = (*params.MAP, params.COLOUR, params.VIEW, params.SELECTED, params.START)

ROADS = (
    Road(urls.SEARCH_JSON, api.search_json, "Ranked hits.", params.SEARCH, JSON, _HITS),
    Road(urls.SUGGEST_JSON, feeds.suggest_json, "Words, phrases and titles that complete a text.",
         params.SUGGEST, JSON, {"query": str, "suggestions": tuple[Suggestion, ...]}),
    Road(urls.PAGE_JSON, api.page_json, "A stored document and the history of its URL.",
         params.PAGE, JSON, {"url": str, "document": api.StoredDocument | None,
                "story": Story | None,
                "copies": tuple[CopyView, ...]}),
    Road(urls.twin_of(urls.PAGE_BLOCKS), page_json.blocks_json, "The blocks of a page with their "
         "labels.", page_params.PAGE_BLOCKS, JSON, {"url": str, "total": int,
         "blocks": tuple[page_json.BlockRecord, ...], "next_url": str | None}),
    Road(urls.twin_of(urls.PAGE_LINKS), page_json.links_json, "Links on a page, or links to it.",
         page_params.PAGE_LINKS, JSON, {"url": str, "side": str, "total": int, "is_whole": bool,
         "links": tuple[LinkView, ...], "next_url": str | None}),
    Road(urls.twin_of(urls.PAGE_PARTS), page_json.parts_json, "Forms, tables, images, scripts, "
         "lists, styles and metadata of a page.", params.PAGE, JSON, get_type_hints(PageParts)),
    Road(urls.twin_of(urls.PAGE_POSTS), discussion.posts_json, "The posts of a thread, and the "
         "comments of readers.", page_params.PAGE_POSTS, JSON, {"url": str, "page_type": str,
         "posts": int, "comments": int, "total": int,
         "entries": tuple[discussion.EntryRecord, ...], "next_url": str | None}),
    Road(urls.twin_of(urls.PAGE_RECORD), page_json.record_json, "The archive record of a page, "
         "its fetches and duplicates.", params.PAGE, JSON, {"url": str,
         "record": RecordView | None, "fetches": tuple[FetchView, ...],
         "copies": tuple[CopyView, ...]}),
    Road(urls.twin_of(urls.PAGE_SCORE), page_json.score_json, "The static rank of a page, and "
         "its score for a query.", page_params.PAGE_SCORE, JSON, {"url": str, "query": str,
         "standing": StandingView | None, "place": int | None,
         "explanation": Explanation | None}),
    Road(urls.RELATED_JSON, api.related_json, "The pages most similar to a stored page.",
         params.RELATED, JSON, {"url": str, "hits": tuple[Hit, ...]}),
    Road(urls.COLUMNS_JSON, columns.columns_json, "Documents with a match in these columns.",
         params.COLUMN_SEARCH, JSON, {**get_type_hints(ColumnResults), "next_url": str | None}),
    Road(urls.SITES_JSON, api.sites_json, "Documents per site, the largest first.", (), JSON,
         {"sites": tuple[api.SiteCount, ...], "has_more": bool}),
    Road(urls.GRAPH_JSON, map_api.graph_json, "The best pages and the links between them.",
         params.MAP, JSON, _MAP),
    Road(urls.GRAPH_SITES_JSON, map_api.graph_sites_json, "The sites and how often they link to "
         "each other.", (), JSON, _SITE_MAP),
    Road(urls.GRAPHML, map_api.send_graphml, "The same map as GraphML.", params.MAP,
         "application/xml"),
    Road(urls.GRAPH_SVG, map_api.send_svg, "The same map as a picture.",
         (*params.MAP, params.COLOUR),
         "image/svg+xml"),
    Road(urls.GRAPH_URLS, map_api.send_urls, "The URLs of the same map, one per line.", params.MAP,
         "text/plain"),
    Road(urls.TREE_JSON, map_api.tree_json, "The pages that were found on a page.",
         params.BRANCHES, JSON, {"url": str, "branches": _BRANCHES, "start": int, "total": int}),
    Road(urls.WAY_JSON, map_api.way_json, "How a page was found, from its start URL on.",
         params.PAGE, JSON, {"way": _BRANCHES}),
    Road(urls.twin_of(urls.SITE), site_pages.site_json, "The health of a site.",
         page_params.SITE_ROWS, JSON, get_type_hints(SiteAudit)),
    Road(urls.twin_of(urls.SITE_FILES), site_pages.files_json, "The files of one kind that a site "
         "has.", page_params.SITE_FILES, JSON, {"site": str, "kind": str, "is_whole": bool,
         "looked_at": int, "to_look_at": int,
         "files": tuple[FoundFile, ...]}),
    Road(urls.twin_of(urls.SITE_FRAME), site_frame.frame_json, "What was learned about a site.",
         page_params.SITE, JSON, get_type_hints(SiteFrame)),
    Road(urls.twin_of(urls.SITE_CLUSTERS), cluster_json.clusters_json, "The blocks of a site that "
         "look alike, by cluster.", cluster_params.CLUSTERS, JSON,
         {**_CLUSTERS, "clusters": tuple[cluster_json.ClusterRecord, ...]}),
    Road(urls.twin_of(urls.SITE_CLUSTER_PAGE), cluster_json.cluster_page_json, "The blocks of a "
         "page with their clusters.", cluster_params.ONE_PAGE, JSON, {"site": str, "url": str,
         "blocks": tuple[cluster_json.ClusteredBlockRecord, ...]}),
    Road(urls.STATUS_JSON, api.status_json, "The progress of the crawl.", (), JSON,
         {"name": str, "version": str, "is_crawling": bool, "read_only": bool, **_STATUS}),
    Road(urls.VERSIONS_JSON, api.versions_json, "Versions of Telusur and the libraries it uses.",
         (), JSON),
    Road(urls.OPENAPI, send_openapi, "This list as an OpenAPI 3.1 document.", (), JSON),
    Road(urls.SEARCH_RSS, feeds.send_feed, "The best hits of a query as an RSS 2.0 feed.",
         params.FEED, "application/rss+xml"),
    Road(urls.SUGGEST, feeds.suggest, "Suggestions in the format of browsers (OpenSearch).",
         params.SUGGEST, "application/x-suggestions+json"),
    Road(urls.OPENSEARCH, feeds.send_opensearch, "The description with which browsers add "
         "the collection to their search engines.", (), "application/opensearchdescription+xml"),
    Road(urls.HOME, pages.show_home, "Search box, progress of the crawl, largest sites."),
    Road(urls.SEARCH, pages.show_search, "Ranked hits, and ways to narrow the search.",
         (*params.SEARCH, params.WHY)),
    Road(urls.PAGE, page_text.show_page, "A stored document and the history of its URL.",
         params.PAGE),
    Road(urls.PAGE_BLOCKS, page_sections.show_blocks, "The blocks of a page outlined in its copy, "
         "and a form to correct labels.", page_params.PAGE_BLOCKS),
    Road(urls.PAGE_LINKS, page_sections.show_links, "Links on a page, and links to it.",
         page_params.PAGE_LINKS),
    Road(urls.PAGE_PARTS, page_sections.show_parts, "Forms, tables, images, scripts, lists, "
         "styles and metadata of a page.", params.PAGE),
    Road(urls.PAGE_POSTS, discussion.show_posts, "The posts of a thread, and the comments of "
         "readers.", page_params.PAGE_POSTS),
    Road(urls.PAGE_RECORD, page_sections.show_record, "The archive record of a page.",
         params.PAGE),
    Road(urls.PAGE_WARC, page_sections.send_record, "That record as a WARC file.", params.PAGE,
         "application/gzip"),
    Road(urls.PAGE_SCORE, page_sections.show_score, "The static rank of a page, and its score for "
         "a query.", page_params.PAGE_SCORE),
    Road(urls.COPY, copy_pages.show_copy, "The stored copy of a page, with words marked.",
         page_params.COPY),
    Road(urls.COPY_CONTENT, copy_pages.send_copy, "The content of the frame of the stored copy.",
         page_params.COPY),
    Road(urls.COLUMNS, columns.show_columns, "Search in columns of the catalogue.",
         params.COLUMN_SEARCH),
    Road(urls.MAP, map_pages.show_map, "The pages and their links as a map.", _MAP_PAGE),
    Road(urls.TREE, map_pages.show_tree, "How the pages were found, as an outline.", _MAP_PAGE),
    Road(urls.SITES, site_pages.show_sites, "The sites and their numbers of pages."),
    Road(urls.SITE, site_pages.show_site, "The health of a site: broken links, redirects, slow "
         "pages, duplicates, missing titles, robots, sitemaps.", page_params.SITE),
    Road(urls.SITE_CSV, site_pages.send_csv, "One kind of finding as a table.",
         page_params.SITE_CSV, "text/csv"),
    Road(urls.SITE_FILES, site_pages.show_files, "The files of one kind that a site has.",
         page_params.SITE_FILES),
    Road(urls.SITE_FRAME, site_frame.show_frame, "The frame of a site: what repeats on its pages, "
         "and where titles, authors and dates stand.", page_params.SITE),
    Road(urls.SITE_CLUSTERS, cluster_pages.show_clusters, "The blocks of a site that look alike, "
         "and a form to label them.", cluster_params.CLUSTERS),
    Road(urls.SITE_CLUSTER_PAGE, cluster_pages.show_cluster_page, "A page of a site with its "
         "blocks coloured by cluster.", cluster_params.ONE_PAGE),
    Road(urls.SITE_CLUSTER_COPY, cluster_pages.send_cluster_copy, "The content of the frame of "
         "that page.", cluster_params.ONE_PAGE),
    Road(urls.SITE_CLUSTER_DATA, cluster_json.send_training_data, "The clustered pages with their "
         "labels, for `telusur train`.", cluster_params.DATA, "application/gzip"),
    Road(urls.API, show_api, "This list for people."),
    Road(urls.ABOUT, pages.show_about, "Keyboard shortcuts, query language, versions."),
)  # fmt: skip
