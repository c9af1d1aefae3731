"""Not too many requests from one address: a bucket of tokens for each, filled at a steady rate."""

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

# A page with its stylesheets, scripts and suggestions comes at once; then the rate counts.
SECONDS_IN_A_BUCKET = 10
MOST_CLIENTS = 10_000


class Buckets:
    """Tells whether a client may ask now. A bucket holds ten seconds' worth of requests."""

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
        # The longest unseen stand first; they have full buckets, so they lose nothing when let go.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        tokens, at = self._buckets.pop(client, (self._size, now))
        tokens = min(tokens + (now - at) * self._per_second, self._size)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._per_second
        self._buckets[client] = (tokens if wait else tokens - 1, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait


class RateGuard:
    """Answers status 429 with Retry-After to who asks too often; a rate of 0 lets all through."""

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
        """Pass the request on, or answer it with the refusal."""
        wait = 0.0
        # Stylesheets cost nothing, and the refusal itself should look right.
        if self.buckets and scope["type"] == "http" and not scope["path"].startswith("/static/"):
            wait = self.buckets.take(client_of(scope))
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        sentence = f"That is too many requests from one address; try again in {seconds} s."
        error = HTTPException(429, sentence, {"Retry-After": str(seconds)})
        response = await self.refuse(Request(scope), error)
        await response(scope, receive, send)


def client_of(scope: Scope) -> str:
    """Return who is asking: the address, of IPv6 the network that one household has."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return str(host)
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
