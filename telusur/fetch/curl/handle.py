"""Makes libcurl handles: the options common to all requests, TLS and proxies."""

import ssl
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pycurl

from telusur.crawl.hosts.terms import LEFT_OUT, Wire
from telusur.errors import UsageError

CONNECT_SECONDS = 10.0
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")

# Where systems keep their certificate authorities: Debian, Red Hat, SUSE, Alpine and BSD, macOS.
_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
)


@dataclass(slots=True, frozen=True)
class Trust:
    """Which certificate authorities are trusted: the system's, those of a file, or no check."""

    ca_bundle: str | None = None
    insecure: bool = False

    def check(self) -> None:
        """Refuse a file without certificates, in one sentence."""
        if self.ca_bundle is None:
            return
        try:
            ssl.create_default_context(cafile=self.ca_bundle)
        except (OSError, ssl.SSLError, ValueError):
            raise UsageError(
                f"--ca-bundle: {self.ca_bundle} is not a file of certificates in PEM format."
            ) from None


@cache
def system_bundle() -> str | None:
    """Return the system's CA file: the path built into libcurl may not exist."""
    paths = ssl.get_default_verify_paths()
    known = (paths.cafile, *_BUNDLES)
    return next((path for path in known if path and Path(path).is_file()), None)


def check_proxy(proxy: str, source: str) -> None:
    """Refuse a wrong proxy address, in one sentence."""
    if LEFT_OUT in proxy:
        raise UsageError(f"{source}: the password of the proxy is not kept; give it again.")
    try:
        parts = urlsplit(proxy)
        is_one = parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or any(character <= " " for character in proxy):
        raise UsageError(
            f"{source}: {without_password(proxy)!r} is not a proxy; write it as "
            "http://127.0.0.1:3128 or socks5://127.0.0.1:1080."
        )


def without_password(proxy: str) -> str:
    """Return the address of a proxy without its password."""
    scheme, colon, rest = proxy.rpartition("://")
    return f"{scheme}{colon}{rest.rpartition('@')[2]}"


def new_handle(wire: Wire, trust: Trust) -> Any:
    """Return a handle with these limits, this proxy and this trust."""
    handle = pycurl.Curl()
    handle.setopt(pycurl.NOSIGNAL, 1)
    handle.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
    handle.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS)
    handle.setopt(pycurl.FOLLOWLOCATION, 0)
    handle.setopt(pycurl.PATH_AS_IS, 1)
    handle.setopt(pycurl.HTTP_CONTENT_DECODING, 0)
    handle.setopt(pycurl.CONNECTTIMEOUT_MS, int(min(CONNECT_SECONDS, wire.timeout) * 1000))
    handle.setopt(pycurl.TIMEOUT_MS, int(wire.timeout * 1000))
    _set_proxy(handle, wire.proxy)
    _set_trust(handle, trust)
    return handle


def _set_proxy(handle: Any, proxy: str) -> None:
    """Set the given proxy; proxies of the environment are always ignored."""
    if proxy.startswith("socks5://"):  # the proxy resolves names, as with the other kinds
        proxy = proxy.replace("socks5", "socks5h", 1)
    handle.setopt(pycurl.PROXY, proxy)
    handle.setopt(pycurl.NOPROXY, "")


def _set_trust(handle: Any, trust: Trust) -> None:
    bundle = trust.ca_bundle or system_bundle()
    if bundle is not None:
        handle.setopt(pycurl.CAINFO, bundle)
        handle.setopt(pycurl.PROXY_CAINFO, bundle)
    if trust.insecure:
        handle.setopt(pycurl.SSL_VERIFYPEER, 0)
        handle.setopt(pycurl.SSL_VERIFYHOST, 0)
