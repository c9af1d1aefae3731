"""The application: its routes, and the middleware in front of them."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from telusur.errors import TelusurError
from telusur.settings import ServeSettings
from telusur.web.crawls.contract import Crawls
from telusur.web.crawls.live import Live
from telusur.web.crawls.roads import CRAWL_ROADS, SHELF_ROADS
from telusur.web.frame import problems, urls
from telusur.web.frame.forms import NeedsKeyError
from telusur.web.frame.render import STATIC_FOLDER
from telusur.web.frame.shelf_pages import Collections
from telusur.web.guard.access import Access, AccessGuard
from telusur.web.guard.forwarded import Forwarded
from telusur.web.guard.key_pages import answer_needs_key, take_key
from telusur.web.guard.rate import RateGuard
from telusur.web.guard.roads import KEY_ROADS, LOGIN_ROADS, LOGOUT_ROADS
from telusur.web.guard.security import LOOPBACK_NAMES, HostGuard, SecureHeaders
from telusur.web.page.roads import LABEL_ROADS
from telusur.web.reader import CollectionReader
from telusur.web.roads import ROADS, Road
from telusur.web.search import pages

USUAL_RATE = ServeSettings().rate_limit


def make_app(
    collection: CollectionReader | None,
    rate_limit: float = USUAL_RATE,
    *,
    crawls: Crawls | None = None,
    access: Access | None = None,
) -> Starlette:
    """Return the workbench of a collection, or of the several that `crawls` has.

    One address may make `rate_limit` requests per second on average; 0 means no limit. Crawls are
    shown and started if there are `crawls` and access is not read-only.
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
            Middleware(Forwarded, proxies=access.trusted),
            Middleware(SecureHeaders),
            Middleware(HostGuard, refuse=refuse),
            Middleware(RateGuard, per_second=rate_limit, refuse=refuse),
            Middleware(AccessGuard, access=access, refuse=refuse, take_key=take_key),
            Middleware(Collections, refuse=refuse),
        ],
        exception_handlers={
            NeedsKeyError: answer_needs_key,
            HTTPException: problems.answer_http_error,
            TelusurError: problems.answer_telusur_error,
            Exception: problems.answer_crash,
        },
    )
    app.state.collection = collection
    app.state.roads = roads
    app.state.crawls = crawls
    app.state.access = access
    app.state.live = Live()
    app.state.paces = {}
    app.state.is_closing = False
    app.state.hosts = set(LOOPBACK_NAMES)
    return app


def _choose_roads(crawls: Crawls | None, access: Access) -> tuple[Road, ...]:
    """Return the routes of this server."""
    roads: tuple[Road, ...] = ROADS if access.read_only else ROADS + LABEL_ROADS
    if crawls is not None:
        roads += SHELF_ROADS
        roads += () if access.read_only else CRAWL_ROADS
    if access.password:
        roads += LOGIN_ROADS
    if access.asks_for_key:
        roads += KEY_ROADS
    return roads + LOGOUT_ROADS if access.password or access.asks_for_key else roads
