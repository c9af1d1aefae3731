"""Logging in with a password, and logging out."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.web.frame import urls
from telusur.web.frame.forms import put_cookie, read_form, render_form
from telusur.web.guard.access import Access, cookie_name
from telusur.web.guard.sessions import SESSION_SECONDS


async def show_login(request: Request) -> Response:
    """Ask for the password."""
    return _ask(request, inside(request.query_params.get("next", "")), "")


async def log_in(request: Request) -> Response:
    """Log in a visitor with the right password, and redirect to where they wanted to go."""
    access: Access = request.app.state.access
    given = await read_form(request, needs_key=False)
    goal = inside(given.get("next", ""))
    if not access.is_password(given.get("password", ""), request):
        return _ask(request, goal, "Wrong password.", 403)
    return begin_session(request, goal)


async def show_logout(request: Request) -> Response:
    """Ask whether to log out."""
    return render_form(request, "logout.html", None, {})


async def log_out(request: Request) -> Response:
    """Log the visitor out; copies of their cookie become invalid."""
    access: Access = request.app.state.access
    await read_form(request, needs_key=False)
    access.sessions.end(request.cookies.get(cookie_name(request), ""))
    response = RedirectResponse(urls.HOME, 303)
    put_cookie(request, response, cookie_name(request), "", seconds=0)
    return response


def begin_session(request: Request, goal: str, status: int = 303) -> Response:
    """Redirect to an address with the cookie of a new session."""
    access: Access = request.app.state.access
    response = RedirectResponse(goal, status, {"Cache-Control": "no-store"})
    secret = access.sessions.begin()
    put_cookie(request, response, cookie_name(request), secret, seconds=SESSION_SECONDS)
    return response


def inside(path: str) -> str:
    """Return a path on this server, never one that a browser takes for another server."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else urls.HOME


def _ask(request: Request, goal: str, sentence: str, status: int = 200) -> Response:
    values = {"goal": goal, "sentence": sentence, "collection": "", "navigation": []}
    return render_form(request, "login.html", None, values, status)
