"""The application: which address is answered by whom, and what stands before all of them."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from telusur.errors import TelusurError
from telusur.settings import ServeSettings
from telusur.web import pages, problems, urls
from telusur.web.access import Access, AccessGuard
from telusur.web.crawl_roads import CRAWL_ROADS, LOGIN_ROADS, SHELF_ROADS
from telusur.web.crawls import Crawls
from telusur.web.page_roads import LABEL_ROADS
from telusur.web.rate import RateGuard
from telusur.web.reader import CollectionReader
from telusur.web.render import STATIC_FOLDER
from telusur.web.roads import ROADS, Road
from telusur.web.security import LOOPBACK_NAMES, HostGuard, SecureHeaders
from telusur.web.shelf_pages import Collections

USUAL_RATE = ServeSettings().rate_limit


def make_app(
    collection: CollectionReader | None,
    rate_limit: float = USUAL_RATE,
    *,
    crawls: Crawls | None = None,
    access: Access | None = None,
) -> Starlette:
    """Return the workbench of a collection, or of the several that `crawls` has.

    One address may make `rate_limit` requests a second over time; 0 is any number. Crawls are
    shown and started where there are `crawls` and the access is not read-only.
    """
    refuse = problems.answer_http_error
    access = access or Access()
    roads = _choose_roads(crawls, access)
    app = Starlette(
        routes=[
            *(Route(road.path, road.answer, methods=list(road.methods)) for road in roads),
            Route(urls.FAVICON, pages.send_favicon),
            Route("/favicon.ico", pages.send_favicon),
            Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
        ],
        middleware=[
            Middleware(SecureHeaders),
            Middleware(HostGuard, refuse=refuse),
            Middleware(RateGuard, per_second=rate_limit, refuse=refuse),
            Middleware(AccessGuard, access=access, refuse=refuse),
            Middleware(Collections, refuse=refuse),
        ],
        exception_handlers={
            HTTPException: problems.answer_http_error,
            TelusurError: problems.answer_telusur_error,
            Exception: problems.answer_crash,
        },
    )
    app.state.collection = collection
    app.state.roads = roads
    app.state.crawls = crawls
    app.state.access = access
    app.state.snapshots = {}
    app.state.paces = {}
    app.state.is_closing = False
    app.state.hosts = set(LOOPBACK_NAMES)
    return app


def _choose_roads(crawls: Crawls | None, access: Access) -> tuple[Road, ...]:
    """Return the roads this server has."""
    roads: tuple[Road, ...] = ROADS if access.read_only else ROADS + LABEL_ROADS
    if crawls is not None:
        roads += SHELF_ROADS
        roads += () if access.read_only else CRAWL_ROADS
    return roads + LOGIN_ROADS if access.password else roads
