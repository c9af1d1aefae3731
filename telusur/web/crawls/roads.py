"""The roads to crawls, as a table like that of all others; a read-only server has none of them."""

from typing import Any, get_type_hints

from telusur.adapters.sqlite_crawls import Answers, LastPage, ListedUrl, Run
from telusur.adapters.timeline_file import Sample
from telusur.run.comparing import Comparison
from telusur.run.status import Status
from telusur.web import comparison_pages, login, params, shelf_pages, urls
from telusur.web import crawl_pages as pages
from telusur.web.roads import JSON, Road

POST = ("POST",)
_NAME = (params.NAME,)

CRAWL_ROADS = (
    Road(urls.CRAWLS_JSON, pages.crawls_json, "All collections and the state of their crawls.",
         (), JSON, {"crawls": tuple[dict[str, Any], ...]}),
    Road(urls.NEW_CRAWL_JSON, pages.new_json, "The fields of a new crawl, defaults and choices.",
         (), JSON, {"fields": tuple[dict[str, Any], ...], "collections": tuple[str, ...],
                   "token": str}),
    Road(urls.CHECK_JSON, pages.check_json, "What is wrong in a form, and the same as a command.",
         params.NEW_CRAWL, JSON,
         {"is_valid": bool, "problems": dict[str, str], "name": str, "urls": int, "command": str},
         methods=POST),
    Road(urls.NEW_CRAWL, pages.start_crawl, "Start a crawl.", params.NEW_CRAWL, JSON,
         {"name": str, "url": str}, methods=POST),
    Road(urls.STEER, pages.steer_crawl, "Pause a crawl, let it go on, stop it, change its limits.",
         params.STEER, JSON,
         {"name": str, "state": str, "limits": dict[str, float | int | str | None]}, methods=POST),
    Road(urls.CRAWL_URLS_JSON, pages.urls_json, "URLs that ended in a state.",
         (*_NAME, *params.LISTED), JSON,
         {"name": str, "urls": tuple[ListedUrl, ...], "next_url": str | None}),
    Road(urls.CRAWL_JSON, pages.crawl_json, "What a crawl is doing, and how it came there.", _NAME,
         JSON, {"name": str, "status": Status, "run": Run | None, "answers": Answers,
                "last_pages": tuple[LastPage, ...], "samples": tuple[Sample, ...],
                "token": str}),
    Road(urls.CRAWL_EVENTS, pages.send_events, "The same page part by part, as it changes.", _NAME,
         "text/event-stream"),
    Road(urls.CRAWLS, pages.show_crawls, "All collections and the state of their crawls."),
    Road(urls.NEW_CRAWL, pages.show_new, "The form of a new crawl."),
    Road(urls.CRAWL_URLS, pages.show_urls, "URLs that ended in a state.",
         (*_NAME, *params.LISTED)),
    Road(urls.CRAWL, pages.show_crawl, "A crawl, live.", _NAME),
)  # fmt: skip

SHELF_ROADS = (
    Road(urls.COLLECTIONS_JSON, shelf_pages.collections_json, "The collections of this server.",
         (), JSON, {"collections": tuple[dict[str, Any], ...], "read_only": bool}),
    Road(urls.COMPARISON_JSON, comparison_pages.comparison_json, "Strategies compared here.", (),
         JSON, get_type_hints(Comparison)),
    Road(urls.COMPARISON, comparison_pages.show_comparison, "Strategies compared here."),
)  # fmt: skip

LOGIN_ROADS = (
    Road(urls.LOGIN, login.show_login, "Asks for the password."),
    Road(urls.LOGIN, login.log_in, "Takes the password.", methods=POST),
    Road(urls.LOGOUT, login.show_logout, "Asks whether to log out."),
    Road(urls.LOGOUT, login.log_out, "Logs out.", methods=POST),
)
