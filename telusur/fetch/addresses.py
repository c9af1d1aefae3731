"""Which network addresses a crawler may connect to: by default, public ones only."""

import ipaddress
from collections.abc import Collection

from telusur.errors import UsageError

# An IP address in its shortest form, and a port.
Endpoint = tuple[str, int]

# Our own list, since that of Python differs by version: the special-purpose registries of IANA
# (2026) without the globally reachable ranges, multicast, and the metadata addresses of clouds.
_NOT_PUBLIC_4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            "168.63.129.16/32",  # Azure's WireServer
        ),
    )
)
# All addresses ever assigned; loopback, fc00::/7, fe80::/10 and fec0::/10 are outside.
_UNICAST_6 = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# RFC 6761, 6762 (appendix G), 8375, and the names that ICANN reserves for private use.
_LOCAL_NAMES = frozenset((
    *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home"),
    "lan",
))  # fmt: skip


def may_connect(address: str, port: int, allowed: Collection[Endpoint] = ()) -> bool:
    """Tell whether a socket may connect there: to the internet, or to an allowed endpoint."""
    return is_public(address) or (_shortest(address), port) in allowed


def parse_endpoint(text: str) -> Endpoint:
    """Read `127.0.0.1:8000` or `[::1]:8000`; raise one clear sentence for anything else."""
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
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _NOT_PUBLIC_4)
    inner = ip.ipv4_mapped or ip.sixtofour or _nat64(ip) or (ip.teredo or (None, None))[1]
    if inner is not None:
        return is_public(str(inner))
    return ip in _UNICAST_6 and not any(ip in network for network in _NOT_PUBLIC_6)


def _nat64(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address inside 64:ff9b::/96 (RFC 6052)."""
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return None


def is_local_name(name: str) -> bool:
    """Tell whether a host name means a machine in the local network."""
    labels = name.lower().rstrip(".").split(".")
    return len(labels) == 1 or labels[-1] in _LOCAL_NAMES or labels[-2:] == ["home", "arpa"]
