"""Who may see the workbench, and who may act in it: passwords, proxies, read-only servers."""

import hmac
import secrets
import time
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from telusur.web import urls
from telusur.web.rate import Buckets, client_of

LOGIN_COOKIE = "telusur_login"
LOGIN_SECONDS = 30 * 24 * 3600
TRIES_PER_SECOND = 0.5
"""Of one address, over time; a few more at once."""
_OPEN_TO_ALL = ("/static/", urls.FAVICON, "/favicon.ico", urls.LOGIN)


@dataclass(frozen=True)
class Access:
    """The rules of one server. Its secret is new at each start, and with it all logins."""

    read_only: bool = False
    why_read_only: str = ""
    password: str = ""
    trust_header: str = ""
    proxies: tuple[str, ...] = ()
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    tries: Buckets = field(default_factory=lambda: Buckets(TRIES_PER_SECOND))

    @property
    def is_open(self) -> bool:
        """Tell whether anybody who reaches the server is let in."""
        return not (self.password or self.trust_header)

    def sign(self, *words: str) -> str:
        """Return a signature that only this server can make."""
        return hmac.new(self.secret, "\n".join(words).encode(), sha256).hexdigest()

    def admits(self, request: Request) -> bool:
        """Tell whether a visitor may see anything."""
        return (
            self.is_open
            or self._is_named_by_proxy(request)
            or self._has_cookie(request)
            or self._has_basic(request)
        )

    def is_password(self, given: str, request: Request) -> bool:
        """Compare in constant time; who guesses too often is told to wait."""
        wait = self.tries.take(client_of(request.scope))
        if wait:
            seconds = max(round(wait), 1)
            sentence = f"That were too many passwords; try again in {seconds} s."
            raise HTTPException(429, sentence, {"Retry-After": str(seconds)})
        return bool(self.password) and hmac.compare_digest(given.encode(), self.password.encode())

    def make_login(self) -> str:
        """Return the value of a cookie that admits its bearer."""
        until = str(int(time.time()) + LOGIN_SECONDS)
        nonce = secrets.token_urlsafe(12)
        return f"{until}.{nonce}.{self.sign('login', until, nonce)}"

    def _has_cookie(self, request: Request) -> bool:
        until, _, rest = request.cookies.get(LOGIN_COOKIE, "").partition(".")
        nonce, _, signature = rest.partition(".")
        is_ours = hmac.compare_digest(signature.encode(), self.sign("login", until, nonce).encode())
        return bool(self.password) and is_ours and int(until) > time.time()

    def _has_basic(self, request: Request) -> bool:
        """Let programs give the password with each request: `curl -u :PASSWORD`."""
        kind, _, value = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "basic" or not self.password:
            return False
        try:
            given = b64decode(value, validate=True).decode().partition(":")[2]
        except (NotBase64, UnicodeDecodeError):
            return False
        return self.is_password(given, request)

    def is_proxy(self, request: Request) -> bool:
        """Tell whether a request came from a proxy whose headers count."""
        if not self.trust_header or request.client is None:
            return False
        try:
            address = ip_address(request.client.host)
        except ValueError:
            return False
        return address.is_loopback or str(address) in self.proxies

    def _is_named_by_proxy(self, request: Request) -> bool:
        named = request.headers.get(self.trust_header, "") if self.trust_header else ""
        return bool(named.strip()) and self.is_proxy(request)


class AccessGuard:
    """Leads strangers to the login page, or tells them that they are not let in."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        refuse: Callable[[Request, HTTPException], Awaitable[Response]],
    ) -> None:
        self.app = app
        self.access = access
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with the way in."""
        if scope["type"] != "http" or scope["path"].startswith(_OPEN_TO_ALL):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            scope["is_admitted"] = self.access.admits(request)
            if scope["is_admitted"]:
                await self.app(scope, receive, send)
                return
            response = await self._lead_in(request)
        except HTTPException as error:
            response = await self.refuse(request, error)
        await response(scope, receive, send)

    async def _lead_in(self, request: Request) -> Response:
        wants_page = "text/html" in request.headers.get("accept", "")
        if self.access.password and wants_page and request.method == "GET":
            asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"{urls.LOGIN}?next={quote(asked, safe='')}", 303)
        if self.access.password:
            sentence = f"This needs a password: log in at {urls.LOGIN}, or send it by HTTP Basic."
            return await self.refuse(request, HTTPException(401, sentence))
        sentence = "This server lets in only whom its proxy names; come through the proxy."
        return await self.refuse(request, HTTPException(403, sentence))
