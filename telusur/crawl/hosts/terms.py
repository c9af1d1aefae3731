"""How each host is treated: the settings of the crawl, and what the user set for this host."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from telusur.crawl.urls import host_of
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, HostSettings

# Headers that say nothing about who we are; all others go to the start URLs' hosts alone.
HARMLESS_HEADERS = ("accept", "accept-language", "dnt", "cache-control", "pragma", "from")
REMEMBERED_HOSTS = 4096

Headers = tuple[tuple[str, str], ...]


class Wire(NamedTuple):
    """What one request may take, and which way it goes."""

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
    """Looks up the terms of any host; a table of its own name counts before one of a pattern."""

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
        """Treat hosts without a delay of their own with another from now on."""
        self._settings = replace(self._settings, delay=delay)
        self.terms_for.cache_clear()

    def _make(self, host: str) -> HostTerms:
        """Return the terms of a host, given as scheme, name and port."""
        authority = host.partition("://")[2]
        settings = self._settings
        names = _tables_for(authority, settings.host)
        tables = [settings.host[name] for name in names]
        wire = Wire(
            _first([table.timeout for table in tables], settings.timeout),
            _first([table.max_bytes for table in tables], settings.max_bytes),
            _first([table.proxy for table in tables], settings.proxy) or "",
        )
        headers: Headers = ()
        for more in (*(self._headers_of[name] for name in names), self._general_headers(host)):
            known = {name.lower() for name, _ in headers}
            headers += tuple(header for header in more if header[0].lower() not in known)
        return HostTerms(
            _first([table.delay for table in tables], settings.delay),
            _first([table.per_host for table in tables], settings.per_host),
            headers,
            wire,
        )

    def _general_headers(self, host: str) -> Headers:
        """Keep credentials with the hosts they were meant for."""
        if host in self._start_hosts:
            return self._headers
        return tuple(header for header in self._headers if header[0].lower() in HARMLESS_HEADERS)


def _tables_for(authority: str, tables: dict[str, HostSettings]) -> list[str]:
    """Return the tables that speak about a host, the most specific first."""
    name = authority.rpartition(":")[0] if ":" in authority.rpartition("]")[2] else authority
    parts = name.split(".")
    patterns = ["*." + ".".join(parts[start:]) for start in range(1, len(parts))]
    return [one for one in dict.fromkeys((authority, name, *patterns, "*")) if one in tables]


def _first(values: Sequence[object], default: object) -> Any:
    return next((value for value in values if value is not None), default)


def parse_header(text: str, source: str) -> tuple[str, str]:
    """Read `Name: value`; one clear sentence for anything else."""
    name, colon, value = text.partition(":")
    is_token = name and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    if not colon or not is_token or any(ord(letter) < 32 for letter in value):
        raise UsageError(f"{source}: {text!r} is not a header; write it as 'Name: value'.")
    return name, value.strip()
