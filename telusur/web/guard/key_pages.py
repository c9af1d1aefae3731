"""The key that `telusur serve` prints: given in an address or in a form."""

from urllib.parse import unquote_plus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.web.frame import urls
from telusur.web.frame.forms import KEY, TOKEN, NeedsKeyError, read_form, render_form
from telusur.web.frame.problems import answer_problem, wants_json
from telusur.web.guard.access import Access, standing_of
from telusur.web.guard.login import begin_session, inside

RESEND = "resend"
NEXT = "next"
WRONG = "wrong"
_NOT_KEPT = (TOKEN, KEY, NEXT, RESEND)
_NOT_THE_KEY = (
    "This is not the key of this server. Each start has a new key, unless TELUSUR_KEY "
    "sets it; "
    "the terminal of the server shows it."
)


def take_key(request: Request) -> Response | None:
    """Take the key from the address of a page, and redirect to the address without it."""
    if request.method != "GET" or KEY not in request.query_params or wants_json(request):
        return None
    access: Access = request.app.state.access
    goal = _address_without_key(request)
    if access.is_key(request.query_params[KEY]):
        return begin_session(request, goal)
    if access.asks_for_key:
        goal = urls.key_url(goal, wrong=True)
    return RedirectResponse(goal, 303, {"Cache-Control": "no-store"})


def _address_without_key(request: Request) -> str:
    if request.url.path == urls.KEY:
        return inside(request.query_params.get(NEXT, ""))
    parts = request.url.query.split("&")
    kept = "&".join(part for part in parts if unquote_plus(part.partition("=")[0]) != KEY)
    return inside(urls.asked_path(request) + (f"?{kept}" if kept else ""))


async def show_key(request: Request) -> Response:
    """Ask for the key; redirect visitors who have already given it."""
    goal = inside(request.query_params.get(NEXT, ""))
    if standing_of(request).may_act:
        return RedirectResponse(goal, 303)
    was_wrong = WRONG in request.query_params
    return _ask(request, goal, {}, _NOT_THE_KEY if was_wrong else "", 403 if was_wrong else 200)


async def put_key(request: Request) -> Response:
    """Admit a visitor with the right key, and redirect to where they wanted to go, with their
    form."""
    access: Access = request.app.state.access
    given = await read_form(request, needs_key=False)
    goal = inside(given.get(NEXT, ""))
    kept = {name: value for name, value in given.items() if name not in _NOT_KEPT}
    # The visitor may have pasted the whole address.
    if not access.is_key(given.get(KEY, "").strip().rpartition("key=")[2]):
        return _ask(request, goal, kept, _NOT_THE_KEY, 403, is_resent=RESEND in given)
    # With status 307 a browser sends the same form again, to its own address.
    return begin_session(request, goal, 307 if RESEND in given else 303)


async def answer_needs_key(request: Request, error: Exception) -> Response:
    """Answer a form that needs the key: with an error, or with a page that keeps the form."""
    assert isinstance(error, NeedsKeyError)
    if wants_json(request):
        return answer_problem(request, 403, (error.detail,))
    kept = {name: value for name, value in error.given.items() if name not in _NOT_KEPT}
    return _ask(request, urls.asked_path(request), kept, "", 403, is_resent=True)


def _ask(
    request: Request,
    goal: str,
    kept: dict[str, str],
    sentence: str,
    status: int = 200,
    *,
    is_resent: bool = False,
) -> Response:
    values = {"goal": goal, "sentence": sentence, "kept_fields": kept, "is_resent": is_resent}
    values["key_url"] = ""  # this is that page
    return render_form(request, "key.html", None, values, status)
