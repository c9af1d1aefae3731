"""The way in where a password is asked for, and the way out."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.web import urls
from telusur.web.access import LOGIN_COOKIE, LOGIN_SECONDS, Access
from telusur.web.forms import put_cookie, read_form, render_form


async def show_login(request: Request) -> Response:
    """Ask for the password."""
    return _ask(request, _inside(request.query_params.get("next", "")), "")


async def log_in(request: Request) -> Response:
    """Let in who knows the password, and lead on to where he wanted to go."""
    access: Access = request.app.state.access
    given = await read_form(request)
    goal = _inside(given.get("next", ""))
    if not access.is_password(given.get("password", ""), request):
        return _ask(request, goal, "That is not the password.", 403)
    response = RedirectResponse(goal, 303)
    put_cookie(request, response, LOGIN_COOKIE, access.make_login(), seconds=LOGIN_SECONDS)
    return response


async def show_logout(request: Request) -> Response:
    """Ask whether to log out."""
    return render_form(request, "logout.html", None, {})


async def log_out(request: Request) -> Response:
    """Forget the visitor."""
    await read_form(request)
    response = RedirectResponse(urls.HOME, 303)
    put_cookie(request, response, LOGIN_COOKIE, "", seconds=0)
    return response


def _ask(request: Request, goal: str, sentence: str, status: int = 200) -> Response:
    values = {"goal": goal, "sentence": sentence, "collection": "", "navigation": []}
    return render_form(request, "login.html", None, values, status)


def _inside(path: str) -> str:
    """Return a path of this server; nothing that a browser takes for another."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else urls.HOME
