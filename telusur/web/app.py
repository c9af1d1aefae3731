"""The application: which address is answered by whom, and what stands before all of them."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from telusur.errors import TelusurError
from telusur.settings import ServeSettings
from telusur.web import pages, problems, urls
from telusur.web.rate import RateGuard
from telusur.web.reader import CollectionReader
from telusur.web.render import STATIC_FOLDER
from telusur.web.roads import ROADS
from telusur.web.security import LOOPBACK_NAMES, HostGuard, SecureHeaders

USUAL_RATE = ServeSettings().rate_limit


def make_app(collection: CollectionReader, rate_limit: float = USUAL_RATE) -> Starlette:
    """Return the workbench of a collection; it reads the collection and changes nothing.

    One address may make `rate_limit` requests a second over time; 0 is any number.
    """
    refuse = problems.answer_http_error
    app = Starlette(
        routes=[
            *(Route(road.path, road.answer, methods=list(road.methods)) for road in ROADS),
            Route(urls.FAVICON, pages.send_favicon),
            Route("/favicon.ico", pages.send_favicon),
            Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
        ],
        middleware=[
            Middleware(SecureHeaders),
            Middleware(HostGuard, refuse=refuse),
            Middleware(RateGuard, per_second=rate_limit, refuse=refuse),
        ],
        exception_handlers={
            HTTPException: problems.answer_http_error,
            TelusurError: problems.answer_telusur_error,
            Exception: problems.answer_crash,
        },
    )
    app.state.collection = collection
    app.state.roads = ROADS
    app.state.crawls = None
    app.state.hosts = set(LOOPBACK_NAMES)
    return app
