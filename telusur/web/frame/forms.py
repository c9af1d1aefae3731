"""Forms that change something: who may send them, how they are read, and their pages.

A page of another site can make a browser send a form to us, with cookies (CSRF). Three things
prevent it: the cookie of the form's token is never sent from a page of another site
(SameSite=Strict), the token itself is on our pages only, and browsers say where a form comes from.
"""

import asyncio
import hmac
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from telusur.web.frame.problems import wants_json
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.guard.access import Access, standing_of

VISIT_COOKIE = "telusur_visit"
TOKEN = "token"  # noqa: S105 - a name
KEY = "key"
MOST_BYTES = 2_000_000
SECONDS_FOR_A_FORM = 30.0
MOST_FIELDS = 200


class NeedsKeyError(HTTPException):
    """The form needs the key; the error keeps what was typed."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(
            403,
            "This needs the key that the server printed when it started: send it as "
            "`Authorization: Bearer KEY`, or open the address that has it.",
        )
        self.given = given


class StaleFormError(HTTPException):
    """The form was not made by this server, or before its last restart."""

    def __init__(self) -> None:
        super().__init__(
            403, "This form is too old or from another server; reload its page and send it again."
        )


async def read_form(
    request: Request, *, checks_token: bool = True, needs_key: bool = True
) -> dict[str, str]:
    """Return the fields of a form if its sender may act, or raise 403.

    Call this before doing anything for a request. Only two kinds of forms are checked less: login
    and key, which need no key, and a form that is sent back as typed and checks its token itself.
    """
    check_origin(request)
    is_stranger = needs_key and not standing_of(request).may_act
    if is_stranger and wants_json(request):
        raise NeedsKeyError({})
    try:
        async with asyncio.timeout(SECONDS_FOR_A_FORM):
            given = await _read_fields(request)
    except TimeoutError:
        raise HTTPException(408, "The form did not arrive in time.") from None
    if is_stranger:
        raise NeedsKeyError(given)
    if checks_token and not has_token(request, given):
        raise StaleFormError
    return given


def has_token(request: Request, given: dict[str, str]) -> bool:
    """Tell whether a form carries the token that belongs to its sender's cookie.

    A program that sends the key in a header needs no token.
    """
    if standing_of(request).has_bearer:
        return True
    visit = request.cookies.get(VISIT_COOKIE, "")
    return bool(visit) and hmac.compare_digest(
        given.get(TOKEN, "").encode(), token_of(request, visit).encode()
    )


def check_origin(request: Request) -> None:
    """Raise 403 for a form sent by a page of another origin."""
    sender = request.headers.get("sec-fetch-site")
    if sender is not None:
        is_ours = sender == "same-origin"
    else:  # an old browser, one that does not trust plain HTTP, or a program
        origin = request.headers.get("origin")
        is_ours = origin is None or urlsplit(origin).netloc in _our_names(request)
    if not is_ours:
        raise HTTPException(403, "Another site sent this form; nothing was done.")


def _our_names(request: Request) -> tuple[str, ...]:
    access: Access = request.app.state.access
    host = request.headers.get("host", "")
    outside = request.headers.get("x-forwarded-host", "") if access.is_proxy(request) else ""
    return tuple(filter(None, (host, outside)))


async def _read_fields(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Send the form as application/x-www-form-urlencoded.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"A form may have at most {MOST_BYTES:,} bytes.")
    try:
        pairs = parse_qsl(
            body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400, f"A form may have at most {MOST_FIELDS} fields.") from None
    return dict(pairs)


def token_of(request: Request, visit: str) -> str:
    """Return the token of a visitor's forms."""
    access: Access = request.app.state.access
    return access.sign("form", visit)


def token_field(request: Request, visit: str) -> Markup:
    """Return the hidden field that carries it."""
    field = Markup('<input type="hidden" name="{}" value="{}">')
    return field.format(TOKEN, token_of(request, visit))


def answer_with_token(request: Request, record: dict[str, Any]) -> JSONAnswer:
    """Return a JSON response with the token for forms and the cookie that belongs to it.

    A page of another site can neither read this response nor keep the cookie. If the browser says
    that such a page is asking, the response has no token at all.
    """
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return JSONAnswer({**record, TOKEN: ""})
    visit = request.cookies.get(VISIT_COOKIE) or secrets.token_urlsafe(24)
    answer = JSONAnswer({**record, TOKEN: token_of(request, visit)})
    if VISIT_COOKIE not in request.cookies:
        put_cookie(request, answer, VISIT_COOKIE, visit, same_site="strict")
    # A response with a personal token must not come from a shared cache.
    answer.headers["Cache-Control"] = "no-store"
    return answer


def render_form(
    request: Request, template: str, twin: str | None, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page with forms; its template puts `{{ token_field }}` into each."""
    visit = request.cookies.get(VISIT_COOKIE) or secrets.token_urlsafe(24)
    values = {"token_field": token_field(request, visit), **values}
    response = render_html(request, template, twin, values, status)
    if VISIT_COOKIE not in request.cookies:
        put_cookie(request, response, VISIT_COOKIE, visit, same_site="strict")
    # Browsers without Sec-Fetch-Site need this to say where a form comes from.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def put_cookie(
    request: Request, response: Response, name: str, value: str, *, same_site: str = "lax",
    seconds: int | None = None,
) -> None:  # fmt: skip
    """Give a visitor a cookie that no script can read."""
    is_secure = "; Secure" if request.url.scheme == "https" else ""
    age = "" if seconds is None else f"; Max-Age={seconds}"
    same = same_site.capitalize()
    response.headers.append(
        "Set-Cookie", f"{name}={value}; Path=/; HttpOnly; SameSite={same}{age}{is_secure}"
    )
