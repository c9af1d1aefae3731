"""Rate limit per address: a token bucket for each, filled at a steady rate."""

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

# A page with its stylesheets, scripts and suggestions is one burst; after that the rate counts.
SECONDS_IN_A_BUCKET = 10
MOST_CLIENTS = 10_000


class Buckets:
    """Token buckets of clients. A bucket holds ten seconds' worth of requests."""

    def __init__(
        self,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_CLIENTS,
    ) -> None:
        self._per_second = per_second
        self._size = max(per_second * SECONDS_IN_A_BUCKET, 1.0)
        self._clock = clock
        self._most = most
        # Least recently seen first; their buckets are full, so nothing is lost by dropping them.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return the seconds until there is a token, without taking it; 0 means now."""
        tokens = self._tokens(client, self._clock())
        return 0.0 if tokens >= 1 else (1 - tokens) / self._per_second

    def _tokens(self, client: str, now: float) -> float:
        tokens, at = self._buckets.get(client, (self._size, now))
        return min(tokens + (now - at) * self._per_second, self._size)

    def take(self, client: str) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        tokens = self._tokens(client, now)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._per_second
        self._buckets[client] = (tokens if wait else tokens - 1, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait


class RateGuard:
    """Answers status 429 with Retry-After to clients over the limit; a rate of 0 means no limit."""

    def __init__(
        self,
        app: ASGIApp,
        per_second: float,
        refuse: Callable[[Request, HTTPException], Awaitable[Response]],
    ) -> None:
        self.app = app
        self.refuse = refuse
        self.buckets = Buckets(per_second) if per_second > 0 else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        wait = 0.0
        # Stylesheets are cheap, and the error page needs them.
        if self.buckets and scope["type"] == "http" and not scope["path"].startswith("/static/"):
            wait = self.buckets.take(client_of(scope))
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        sentence = f"Too many requests from your address; try again in {seconds} s."
        error = HTTPException(429, sentence, {"Retry-After": str(seconds)})
        response = await self.refuse(Request(scope), error)
        await response(scope, receive, send)


def client_of(scope: Scope) -> str:
    """Return the client: its address, or for IPv6 its /64 network."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return str(host)
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
