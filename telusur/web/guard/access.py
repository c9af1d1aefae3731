"""Who may read and who may act: the key, passwords, proxies, read-only servers."""

import hmac
import secrets
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from telusur.web.frame import urls
from telusur.web.guard.forwarded import NEIGHBOUR, Proxies
from telusur.web.guard.guesses import Guesses
from telusur.web.guard.rate import client_of
from telusur.web.guard.sessions import Sessions

_SHOWN_TO_ALL = ("/static/", urls.FAVICON, "/favicon.ico")
_WAYS_IN = (urls.LOGIN, urls.KEY)


def new_key() -> str:
    """Return a key that cannot be guessed."""
    return secrets.token_urlsafe(24)


class Standing(NamedTuple):
    """What a visitor may do here."""

    # The visitor may read.
    is_admitted: bool
    may_act: bool
    # A program sent the key in a header: a page of another site cannot make a browser do that.
    has_bearer: bool = False
    has_session: bool = False


@dataclass(frozen=True)
class Access:
    """The access rules of one server. Its secret is new at each start, which ends all logins."""

    read_only: bool = False
    why_read_only: str = ""
    password: str = field(default="", repr=False)
    trust_header: str = ""
    proxies: tuple[str, ...] = ()
    # Whoever has the key may do everything this server can do.
    key: str = field(default_factory=new_key, repr=False)
    # Everybody who may read may also act, without the key.
    open_to_all: bool = False
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    guesses: Guesses = field(default_factory=Guesses, repr=False)
    sessions: Sessions = field(default_factory=Sessions, repr=False)

    @property
    def is_open(self) -> bool:
        """Tell whether anybody who reaches the server may read."""
        return not (self.password or self.trust_header)

    @property
    def asks_for_key(self) -> bool:
        """Tell whether some actions need the key."""
        return bool(self.key) and not (self.read_only or self.open_to_all)

    @cached_property
    def trusted(self) -> Proxies:
        """Return the trusted proxies."""
        return Proxies(self.proxies)

    def sign(self, *words: str) -> str:
        """Return a signature that only this server can make."""
        return hmac.new(self.secret, "\n".join(words).encode(), sha256).hexdigest()

    def judge(self, request: Request) -> Standing:
        """Return what a visitor may do; after too many wrong passwords, raise how long to wait."""
        has_bearer = self._has_bearer(request)
        has_session = self.sessions.holds(request.cookies.get(cookie_name(request), ""))
        is_known = (
            has_bearer
            or has_session
            or self._is_named_by_proxy(request)
            or self._has_basic(request)
        )
        may_act = not self.read_only and (is_known or (self.open_to_all and self.is_open))
        return Standing(is_known or self.is_open, may_act, has_bearer, has_session)

    def is_key(self, given: str) -> bool:
        """Compare in constant time; a key is too long to guess, so attempts are not counted."""
        return bool(self.key) and hmac.compare_digest(given.encode(), self.key.encode())

    def is_password(self, given: str, request: Request) -> bool:
        """Compare in constant time; after too many wrong passwords, raise how long to wait."""
        client = client_of(request.scope)
        if wait := self.guesses.wait(client):
            seconds = max(round(wait), 1)
            sentence = f"Too many wrong passwords; try again in {seconds} s."
            raise HTTPException(429, sentence, {"Retry-After": str(seconds)})
        is_right = bool(self.password) and hmac.compare_digest(
            given.encode("utf-8", "replace"), self.password.encode("utf-8", "replace")
        )
        (self.guesses.was_right if is_right else self.guesses.was_wrong)(client)
        return is_right

    def _has_bearer(self, request: Request) -> bool:
        """Accept the key with each request of a program: `Authorization: Bearer KEY`."""
        kind, _, value = request.headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self.is_key(value.strip())

    def _has_basic(self, request: Request) -> bool:
        """Accept the password with each request of a program: `curl -u :PASSWORD`."""
        kind, _, value = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "basic" or not self.password:
            return False
        try:
            given = b64decode(value, validate=True).decode().partition(":")[2]
        except (NotBase64, UnicodeDecodeError):
            return False
        return self.is_password(given, request)

    def is_proxy(self, request: Request) -> bool:
        """Tell whether a request came from a trusted proxy.

        The address of the connection decides, not the client that the proxy names. If a header is
        trusted and no proxy is named, the proxy must be on this machine.
        """
        neighbour = str(request.scope.get(NEIGHBOUR) or (request.client or ("", 0))[0])
        if self.trusted or not self.trust_header:
            return neighbour in self.trusted
        try:
            return ip_address(neighbour).is_loopback
        except ValueError:
            return False

    def _is_named_by_proxy(self, request: Request) -> bool:
        named = request.headers.get(self.trust_header, "") if self.trust_header else ""
        return bool(named.strip()) and self.is_proxy(request)


def cookie_name(request: Request) -> str:
    """Return the name of the login cookie, which differs between servers on different ports."""
    return f"telusur_login_{(request.scope.get('server') or ('', 0))[1]}"


def standing_of(request: Request) -> Standing:
    """Return what a visitor may do; before the access check, what strangers may do."""
    access: Access = request.app.state.access
    standing = request.scope.get("standing", Standing(access.is_open, may_act=False))
    assert isinstance(standing, Standing)
    return standing


Refuse = Callable[[Request, HTTPException], Awaitable[Response]]


class AccessGuard:
    """Sends strangers to the login page, or refuses them."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        refuse: Refuse,
        take_key: Callable[[Request], Response | None],
    ) -> None:
        self.app = app
        self.access = access
        self.refuse = refuse
        self.take_key = take_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer how to log in."""
        if scope["type"] != "http" or scope["path"].startswith(_SHOWN_TO_ALL):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            scope["standing"] = standing = self.access.judge(request)
            response = self.take_key(request)
            if response is None and (standing.is_admitted or scope["path"] in _WAYS_IN):
                await self.app(scope, receive, send)
                return
            response = response or await self._lead_in(request)
        except HTTPException as error:
            response = await self.refuse(request, error)
        await response(scope, receive, send)

    async def _lead_in(self, request: Request) -> Response:
        wants_page = "text/html" in request.headers.get("accept", "")
        if self.access.password and wants_page and request.method == "GET":
            asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"{urls.LOGIN}?next={quote(asked, safe='')}", 303)
        if self.access.password:
            sentence = f"Password required; log in at {urls.LOGIN}, or send it by HTTP Basic."
            return await self.refuse(request, HTTPException(401, sentence))
        sentence = "This server accepts only users named by its proxy; connect through the proxy."
        return await self.refuse(request, HTTPException(403, sentence))
