"""The application: which address is answered by whom, and what stands before all of them."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from telusur.errors import TelusurError
from telusur.web import api, pages, problems, urls
from telusur.web.reader import CollectionReader
from telusur.web.render import STATIC_FOLDER
from telusur.web.security import LOOPBACK_NAMES, HostGuard, SecureHeaders


def make_app(collection: CollectionReader) -> Starlette:
    """Return the workbench of a collection; it reads the collection and changes nothing."""
    app = Starlette(
        routes=[
            Route(urls.HOME, pages.show_home),
            Route("/search", pages.show_search),
            Route("/search.json", api.search_json),
            Route("/page", pages.show_page),
            Route("/page.json", api.page_json),
            Route(urls.SITES, pages.show_sites),
            Route(urls.SITES_JSON, api.sites_json),
            Route(urls.ABOUT, pages.show_about),
            Route(urls.VERSIONS_JSON, api.versions_json),
            Route(urls.STATUS_JSON, api.status_json),
            Route(urls.OPENSEARCH, pages.send_opensearch),
            Route(urls.FAVICON, pages.send_favicon),
            Route("/favicon.ico", pages.send_favicon),
            Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
        ],
        middleware=[
            Middleware(SecureHeaders),
            Middleware(HostGuard, refuse=problems.answer_http_error),
        ],
        exception_handlers={
            HTTPException: problems.answer_http_error,
            TelusurError: problems.answer_telusur_error,
            Exception: problems.answer_crash,
        },
    )
    app.state.collection = collection
    app.state.hosts = set(LOOPBACK_NAMES)
    return app
