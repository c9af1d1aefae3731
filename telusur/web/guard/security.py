"""Which Host names are answered, and the security headers of every response."""

from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
    # Otherwise a browser may look up the hosts of all links, which tells a DNS server what we
    # found.
    "X-DNS-Prefetch-Control": "off",
}


def host_name(host: str) -> str:
    """Return the name in a Host header: no port, no brackets, no final dot, lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def may_answer(host: str, names: Iterable[str], local_address: str = "") -> bool:
    """Return whether a Host header names this server.

    A hostile page may point its own DNS name at our address and read our responses (DNS rebinding);
    its Host header still has that name. The local address of the connection is always ours, so a
    server on all interfaces answers to each of its addresses.
    """
    name = host_name(host)
    if name in names:
        return True
    try:
        return ip_address(name) == ip_address(local_address)
    except ValueError:
        return False


class HostGuard:
    """Refuses requests that were meant for another host with status 421."""

    def __init__(
        self, app: ASGIApp, refuse: Callable[[Request, HTTPException], Awaitable[Response]]
    ) -> None:
        self.app = app
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        host = Headers(scope=scope).get("host", "") if scope["type"] == "http" else "localhost"
        local_address, port = scope.get("server") or ("", None)
        # Stylesheets reveal nothing about the collection, and the error page needs them.
        is_ours = scope["type"] == "http" and scope["path"].startswith("/static/")
        if is_ours or may_answer(host, scope["app"].state.hosts, local_address):
            await self.app(scope, receive, send)
            return
        address = f"http://localhost:{port}/" if port else "http://localhost/"
        sentence = f"This server does not answer to that host name; open it at {address}"
        response = await self.refuse(Request(scope), HTTPException(421, sentence))
        await response(scope, receive, send)


class SecureHeaders:
    """Adds the headers above to every response, unless it sets its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the headers of the response."""

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, send_secured)


def secure(headers: MutableHeaders) -> None:
    """Add the security headers that are missing."""
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
