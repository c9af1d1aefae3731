"""The terms of each host: the settings of the crawl, and the user's settings for this host."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from telusur.crawl.urls.identity import host_of
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, HostSettings

# Headers without credentials; all others are sent only to the hosts of the start URLs.
HARMLESS_HEADERS = ("accept", "accept-language", "dnt", "cache-control", "pragma", "from")
REMEMBERED_HOSTS = 4096
# Replaces secrets in records.
LEFT_OUT = "[left out]"

Headers = tuple[tuple[str, str], ...]


class Wire(NamedTuple):
    """The limits of one request, and its proxy."""

    timeout: float = 20.0
    max_bytes: int = 10_000_000
    proxy: str = ""


@dataclass(slots=True, frozen=True)
class HostTerms:
    """How one host is treated."""

    delay: float | None = None
    per_host: int = 1
    headers: Headers = ()
    wire: Wire = field(default_factory=Wire)


class TermsBook:
    """Looks up the terms of any host; a table with its own name wins over a pattern."""

    def __init__(self, settings: CrawlSettings, start_urls: Sequence[str] = ()) -> None:
        self._settings = settings
        self._start_hosts = {host_of(url) for url in start_urls}
        self._headers = tuple(parse_header(text, "--header") for text in settings.header)
        self._headers_of = {
            name: tuple(parse_header(text, f'[host."{name}"] header') for text in own.header)
            for name, own in settings.host.items()
        }
        self.terms_for = lru_cache(REMEMBERED_HOSTS)(self._make)

    def set_delay(self, delay: float | None) -> None:
        """Change the delay of hosts that have no delay of their own."""
        self._settings = replace(self._settings, delay=delay)
        self.terms_for.cache_clear()

    def _make(self, host: str) -> HostTerms:
        """Return the terms of a host, given as scheme, name and port."""
        settings = self._settings
        names = _tables_for(host, settings.host)
        tables = [settings.host[name] for name in names]
        wire = Wire(
            _first([table.timeout for table in tables], settings.timeout),
            _first([table.max_bytes for table in tables], settings.max_bytes),
            _first([table.proxy for table in tables], settings.proxy) or "",
        )
        headers: Headers = ()
        for more in (
            *(self._own_headers(name, host) for name in names),
            self._general_headers(host),
        ):
            known = {name.lower() for name, _ in headers}
            headers += tuple(header for header in more if header[0].lower() not in known)
        return HostTerms(
            _first([table.delay for table in tables], settings.delay),
            _first([table.per_host for table in tables], settings.per_host),
            headers,
            wire,
        )

    def _own_headers(self, name: str, host: str) -> Headers:
        """Return the headers of a table, without credentials over an unencrypted connection."""
        headers = self._headers_of[name]
        return headers if _may_have_secrets(name, host) else harmless_headers(headers)

    def check_start(self, url: str) -> None:
        """Raise an error if the table of a start URL has credentials that are not sent there."""
        host = host_of(url)
        for name in _tables_for(host, self._settings.host):
            sent = self._own_headers(name, host)
            kept = next((header for header in self._headers_of[name] if header not in sent), None)
            if kept is not None and "*" not in name:
                raise UsageError(
                    f'[host."{name}"] header: {kept[0]} is sent only over https and to the port of '
                    f'the table, not to {host}; to send it there, name the table [host."{host}"].'
                )

    def _general_headers(self, host: str) -> Headers:
        """Return the general headers for a host, with credentials only for the hosts they are meant
        for."""
        if host in self._start_hosts:
            return self._headers
        return harmless_headers(self._headers)


def _tables_for(host: str, tables: dict[str, HostSettings]) -> list[str]:
    """Return the tables that apply to a host, the most specific first."""
    scheme, _, authority = host.partition("://")
    name = authority.rpartition(":")[0] if ":" in authority.rpartition("]")[2] else authority
    parts = name.split(".")
    patterns = ["*." + ".".join(parts[start:]) for start in range(1, len(parts))]
    with_scheme = [f"{scheme}://{one}" for one in (authority, *patterns, "*")]
    if authority != name:  # a pattern with a scheme means its default port
        with_scheme = with_scheme[:1]
    names = (with_scheme[0], authority, name, *with_scheme[1:], *patterns, "*")
    return [one for one in dict.fromkeys(names) if one in tables]


def speaks_of(table: str, host: str) -> bool:
    """Tell whether a table would send its credentials to a host."""
    return bool(_tables_for(host, {table: HostSettings()})) and _may_have_secrets(table, host)


def _may_have_secrets(table: str, host: str) -> bool:
    """Tell whether credentials of a table are sent to a host: only over https, unless it names
    http.

    A table without a port means the default port.
    """
    if "://" in table:
        return True
    scheme, _, authority = host.partition("://")
    has_port = ":" in authority.rpartition("]")[2]
    return scheme == "https" and (not has_port or table == authority)


def _first(values: Sequence[object], default: object) -> Any:
    return next((value for value in values if value is not None), default)


def harmless_headers(headers: Headers) -> Headers:
    """Return the headers without credentials, which any host may see."""
    return tuple(header for header in headers if header[0].lower() in HARMLESS_HEADERS)


def parse_header(text: str, source: str) -> tuple[str, str]:
    """Read `Name: value`; raise one clear sentence for anything else."""
    name, colon, value = text.partition(":")
    is_token = name and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    is_sent = value.isascii() and value.replace("\t", " ").isprintable()
    if not colon or not is_token or not is_sent:
        shown = name if colon else name.split(" ")[0]  # the value may be a password
        raise UsageError(f"{source}: {shown!r} is not a header; write it as 'Name: value'.")
    if value.strip() == LEFT_OUT:
        raise UsageError(f"{source}: the value of {name} is not kept; give it again.")
    return name, value.strip()


def most_per_address(settings: CrawlSettings) -> int | None:
    """Return how many requests may be in flight to one address; None for any number.

    A server carries eight requests at once without effort. In a private network users know what
    their machines can bear, so there is no limit.
    """
    if settings.per_address is None and not settings.allow_private:
        return 8
    return settings.per_address
