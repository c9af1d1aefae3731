"""The routes about crawls, as a table; a read-only server has none of them."""

from typing import Any, get_type_hints

from telusur.pipeline.control.status import Status
from telusur.reports.strategies.judge import Comparison
from telusur.store.records import CrawlRecord
from telusur.store.views import LastPage, ListedUrl, ServerAnswers, TimelinePoint
from telusur.web.crawls import comparison as comparison_pages
from telusur.web.crawls import live as crawl_live
from telusur.web.crawls import pages
from telusur.web.frame import params, shelf_pages, urls
from telusur.web.roads import JSON, Road

POST = ("POST",)
_NAME = (params.NAME,)

CRAWL_ROADS = (
    Road(urls.CRAWLS_JSON, pages.crawls_json, "All collections and the state of their crawls.",
         (), JSON, {"crawls": tuple[dict[str, Any], ...],
                   "unreadable": tuple[dict[str, str], ...]}),
    Road(urls.NEW_CRAWL_JSON, pages.new_json, "The fields of a new crawl, defaults and choices.",
         (), JSON, {"fields": tuple[dict[str, Any], ...], "collections": tuple[str, ...],
                   "token": str}),
    Road(urls.CHECK_JSON, pages.check_json, "The errors of a form, and the equivalent command.",
         params.NEW_CRAWL, JSON,
         {"is_valid": bool, "problems": dict[str, str], "warning": str, "name": str, "urls": int,
          "command": str},
         methods=POST),
    Road(urls.NEW_CRAWL, pages.start_crawl, "Start a crawl.", params.NEW_CRAWL, JSON,
         {"name": str, "url": str}, methods=POST),
    Road(urls.STEER, pages.steer_crawl, "Pause, resume or stop a crawl, or change its limits.",
         params.STEER, JSON,
         {"name": str, "state": str, "limits": dict[str, float | int | str | None]}, methods=POST),
    Road(urls.CRAWL_URLS_JSON, pages.urls_json, "URLs in a final state.",
         (*_NAME, *params.LISTED), JSON,
         {"name": str, "urls": tuple[ListedUrl, ...], "next_url": str | None}),
    Road(urls.CRAWL_JSON, pages.crawl_json, "What a crawl is doing, and its progress over time.",
         _NAME, JSON, {"name": str, "status": Status, "run": CrawlRecord | None,
                "answers": ServerAnswers,
                "last_pages": tuple[LastPage, ...], "samples": tuple[TimelinePoint, ...],
                "token": str}),
    Road(urls.CRAWL_EVENTS, crawl_live.send_events, "Parts of the page of a crawl as they change.",
         _NAME, "text/event-stream"),
    Road(urls.CRAWLS, pages.show_crawls, "All collections and the state of their crawls."),
    Road(urls.NEW_CRAWL, pages.show_new, "The form for a new crawl."),
    Road(urls.CRAWL_URLS, pages.show_urls, "URLs in a final state.",
         (*_NAME, *params.LISTED)),
    Road(urls.CRAWL, pages.show_crawl, "A live crawl.", _NAME),
)  # fmt: skip

SHELF_ROADS = (
    Road(urls.COLLECTIONS_JSON, shelf_pages.collections_json, "The collections of this server.",
         (), JSON, {"collections": tuple[dict[str, Any], ...],
                   "unreadable": tuple[dict[str, str], ...], "read_only": bool}),
    Road(urls.COMPARISON_JSON, comparison_pages.comparison_json, "Strategies compared here.", (),
         JSON, get_type_hints(Comparison)),
    Road(urls.COMPARISON, comparison_pages.show_comparison, "Strategies compared here."),
)  # fmt: skip
