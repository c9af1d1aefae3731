"""From the links on a page to URLs for the frontier: identity, site, and whether to follow."""

from collections.abc import Iterable
from dataclasses import dataclass

from telusur.crawl.scope import Scope
from telusur.crawl.traps import trap_reason
from telusur.crawl.urls import host_of, normalize_url, parse_url, site_of
from telusur.models import Link, url_id_of


@dataclass(slots=True, frozen=True)
class FoundLink:
    """A link with everything the frontier needs to know about its target."""

    url_id: bytes
    host: str
    site: str
    skip_reason: str
    link: Link


class Discovery:
    """Judges the links of pages under one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def found_on(self, page_url: str, links: Iterable[Link], depth: int) -> list[FoundLink]:
        """Return each target once, judged for `depth`; a page's link to itself is left out."""
        own_key = normalize_url(page_url)
        found: dict[str, FoundLink] = {}
        for link in links:
            key = normalize_url(link.url)
            if key is None or key == own_key or key in found:
                continue
            found[key] = self._judge(key, link, depth)
        return list(found.values())

    def found_by_address(self, url: str, depth: int) -> FoundLink | None:
        """Return what a bare address (start URL, redirect) leads to, or None if it is no URL."""
        target = parse_url(url)
        key = normalize_url(url)
        if target is None or key is None:
            return None
        return self._judge(key, Link(target), depth)

    def _judge(self, key: str, link: Link, depth: int) -> FoundLink:
        reason = trap_reason(link.url) or self._scope.judge(link.url, depth) or ""
        return FoundLink(
            url_id=url_id_of(key),
            host=host_of(link.url),
            site=site_of(link.url),
            skip_reason=reason,
            link=link,
        )
