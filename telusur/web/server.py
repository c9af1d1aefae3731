"""Runs the workbench until it is stopped."""

import errno
import socket
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from telusur.errors import UsageError
from telusur.web.guard.connections import (
    ACCEPTED_AT_ONCE,
    WAITING_TO_BE_ACCEPTED,
    GuardedConnection,
    make_doors,
)

_ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on
_REASONS = {
    errno.EADDRINUSE: "port {port} is in use; choose another with --port",
    errno.EACCES: "port {port} needs root rights; choose one above 1023 with --port",
    errno.EADDRNOTAVAIL: "{host} is not an address of this machine; choose another with --host",
}


def serve(app: Starlette, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, then return; `ready` gets the URL once it listens."""
    listener = bind(host, port)
    with listener:
        make_server(app, listener, host, ready).run(sockets=[listener])


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise UsageError with one sentence that says what to try."""
    if not 0 <= port <= 65535:
        raise UsageError(f"there is no port {port}; choose one from 0 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise UsageError(f"there is no address {host!r}; choose another with --host") from None
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = _REASONS.get(error.errno or 0, "cannot listen on {host} port {port}: {error}")
        message = reason.format(host=host, port=port, error=error.strerror)
        raise UsageError(message) from None
    return listener


def is_loopback(host: str) -> bool:
    """Tell whether a server on this address can be reached from this machine only."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return ip_address(str(found[0][4][0]).partition("%")[0]).is_loopback
    except (socket.gaierror, UnicodeError, ValueError):
        return False


def make_server(
    app: Starlette, listener: socket.socket, host: str, ready: Callable[[str], None]
) -> "Server":
    """Return a server for the listening socket; the application will answer to `host` too."""
    app.state.hosts |= names_of(host)
    app.state.doors = make_doors(app.state.access.trusted)
    config = uvicorn.Config(
        app,
        http=GuardedConnection,
        backlog=ACCEPTED_AT_ONCE,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        # `telusur.web.guard.forwarded`, not uvicorn, decides whose X-Forwarded-For counts.
        proxy_headers=False,
    )
    return Server(config, url_of(host, listener.getsockname()[1]), ready)


def names_of(host: str) -> set[str]:
    """Return the host names a server that listens on `host` should answer to."""
    if host not in _ANY_ADDRESS:
        return {host.lower()}
    machine = socket.gethostname().lower()
    return {machine, f"{machine}.local"}


def url_of(host: str, port: int) -> str:
    """Return the address to type into a browser on this machine."""
    name = "localhost" if host in _ANY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def url_with_key(url: str, key: str) -> str:
    """Return the address with the key, which lets its visitor act."""
    return f"{url}?key={key}"


class Server(uvicorn.Server):
    """A server that reports when it listens, and exits cleanly on a signal."""

    def __init__(self, config: uvicorn.Config, url: str, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self.url = url
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, and report it."""
        await super().startup(sockets)
        for listener in sockets or ():
            # asyncio has just set the backlog to the number that it accepts at once.
            listener.listen(WAITING_TO_BE_ACCEPTED)
        if self.started:
            self._ready(self.url)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop gently at the first signal and at once at the second.

        Unlike the parent class this forgets the signal: uvicorn raises it again after the shutdown,
        which would end the process with an error.
        """
        self.force_exit = self.should_exit
        self.should_exit = True
        # Event streams end when they see this.
        self.config.app.state.is_closing = True  # type: ignore[union-attr]
