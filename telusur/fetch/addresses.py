"""Which network addresses a crawler may connect to: the public ones, unless told otherwise."""

import ipaddress
from collections.abc import Collection

from telusur.errors import UsageError

Endpoint = tuple[str, int]
"""An IP address in its shortest form, and a port."""


def may_connect(address: str, port: int, allowed: Collection[Endpoint] = ()) -> bool:
    """Tell whether a socket may connect there: to the internet, or to what the user allowed."""
    return is_public(address) or (_shortest(address), port) in allowed


def parse_endpoint(text: str) -> Endpoint:
    """Read `127.0.0.1:8000` or `[::1]:8000`; one clear sentence for anything else."""
    address, _, port = text.strip().rpartition(":")
    is_bracketed = address.startswith("[") and address.endswith("]")
    try:
        if (":" in address) != is_bracketed or not 0 < int(port) < 65_536:
            raise ValueError(text)
        return _shortest(address.strip("[]")), int(port)
    except ValueError:
        raise UsageError(
            f"--allow-address: {text!r} is not an address and a port; write it as 127.0.0.1:8000."
        ) from None


def _shortest(address: str) -> str:
    return str(ipaddress.ip_address(address.split("%", 1)[0]))


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the public internet.

    Loopback, private, link-local (cloud metadata too), carrier-grade NAT, multicast, unspecified
    and reserved ranges are not; neither is a public-looking IPv6 form that wraps one of these.
    """
    ip = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or _nat64(ip) or (ip.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _nat64(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address inside 64:ff9b::/96 (RFC 6052)."""
    if ip in ipaddress.IPv6Network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return None
