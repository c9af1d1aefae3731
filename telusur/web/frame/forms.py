"""Forms that change something: who may send them, how they are read, and the pages they are on.

A stranger's page can make a browser send a form to us, cookies and all. Three things stop it: the
cookie a form's token is bound to is never sent by a page of another site (SameSite=Strict), the
token itself is on our pages only, and browsers say where a form comes from.
"""

import hmac
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from telusur.web.access import Access
from telusur.web.render import JSONAnswer, render_html

VISIT_COOKIE = "telusur_visit"
TOKEN = "token"  # noqa: S105 - a name
MOST_BYTES = 2_000_000
MOST_FIELDS = 200


class StaleFormError(HTTPException):
    """The form was not made by this server, or before it was started anew."""

    def __init__(self) -> None:
        super().__init__(
            403, "This form is not from this server, or too old; load its page again and send it."
        )


async def read_form(request: Request, *, checks_token: bool = True) -> dict[str, str]:
    """Return the fields of a form that one of our own pages sent, or raise 403."""
    check_origin(request)
    given = await _read_fields(request)
    if checks_token and not has_token(request, given):
        raise StaleFormError
    return given


def has_token(request: Request, given: dict[str, str]) -> bool:
    """Tell whether a form carries the token that belongs to its sender's cookie."""
    visit = request.cookies.get(VISIT_COOKIE, "")
    return bool(visit) and hmac.compare_digest(
        given.get(TOKEN, "").encode(), token_of(request, visit).encode()
    )


def check_origin(request: Request) -> None:
    """Raise 403 for a form that a page of another origin sent."""
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
        raise HTTPException(415, "A form is sent as application/x-www-form-urlencoded.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"A form may have {MOST_BYTES:,} bytes at most.")
    try:
        pairs = parse_qsl(
            body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400, f"A form may have {MOST_FIELDS} fields at most.") from None
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
    """Return what a program asks for, with the token of its forms and the cookie it belongs to.

    A page of another site can neither read this answer nor keep the cookie; should a browser say
    that one asks, it gets no token all the same.
    """
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return JSONAnswer({**record, TOKEN: ""})
    visit = request.cookies.get(VISIT_COOKIE) or secrets.token_urlsafe(24)
    answer = JSONAnswer({**record, TOKEN: token_of(request, visit)})
    if VISIT_COOKIE not in request.cookies:
        put_cookie(request, answer, VISIT_COOKIE, visit, same_site="strict")
    # Who gets a token of its own must not be answered out of another's memory.
    answer.headers["Cache-Control"] = "no-store"
    return answer


def render_form(
    request: Request, template: str, twin: str | None, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page with forms in it, which put `{{ token_field }}` into each."""
    visit = request.cookies.get(VISIT_COOKIE) or secrets.token_urlsafe(24)
    values = {"token_field": token_field(request, visit), **values}
    response = render_html(request, template, twin, values, status)
    if VISIT_COOKIE not in request.cookies:
        put_cookie(request, response, VISIT_COOKIE, visit, same_site="strict")
    # Without it browsers that know no Sec-Fetch-Site would not say where a form comes from.
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
