"""The real client behind a reverse proxy: only headers of trusted proxies count."""

from collections.abc import Iterable, MutableMapping
from ipaddress import ip_address, ip_network
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from telusur.errors import UsageError

# The key in the scope of a request: the address of the connection itself.
NEIGHBOUR = "neighbour"


class Proxies:
    """The addresses and networks of trusted proxies."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        self._networks = tuple(_network_of(name) for name in named)

    def __bool__(self) -> bool:
        """Tell whether any are named."""
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        """Tell whether an address is that of a proxy."""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        plain = getattr(found, "ipv4_mapped", None) or found
        return any(plain in network for network in self._networks)


def _network_of(name: str) -> Any:
    try:
        return ip_network(name.strip(), strict=False)
    except ValueError:
        raise UsageError(
            f"--trust-proxy: {name!r} is not an IP address; write one like 127.0.0.1 or "
            "10.0.0.0/24."
        ) from None


class Forwarded:
    """Replaces the address and scheme of a trusted proxy by those of the visitor."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its real sender."""
        if scope["type"] == "http":
            neighbour = str((scope.get("client") or ("", 0))[0])
            scope[NEIGHBOUR] = neighbour
            if neighbour in self.proxies:
                self._believe(scope)
        await self.app(scope, receive, send)

    def _believe(self, scope: MutableMapping[str, Any]) -> None:
        headers = Headers(scope=scope)
        told = ",".join(headers.getlist("x-forwarded-for")).split(",")
        # Anything before the address that our own proxies saw may be forged.
        for address in reversed([one.strip() for one in told if one.strip()]):
            scope["client"] = (address, 0)
            if address not in self.proxies:
                break
        if headers.get("x-forwarded-proto", "").strip().lower() in ("http", "https"):
            scope["scheme"] = headers["x-forwarded-proto"].strip().lower()
