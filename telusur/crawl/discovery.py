"""From the links on a page to URLs for the frontier: identity, site, and whether to follow."""

from collections.abc import Iterable
from typing import NamedTuple

from telusur.crawl.scope import Scope
from telusur.crawl.traps import trap_reason
from telusur.crawl.urls import host_of, normalize_url, parse_url, site_of
from telusur.models import Link, Reason, url_id_of

REMEMBERED_URLS = 20_000


class Target(NamedTuple):
    """What is known of a URL wherever it is found; the reason is without regard to depth."""

    url_id: bytes
    host: str
    site: str
    reason: str


class FoundLink(NamedTuple):
    """A link with everything the frontier needs to know about its target."""

    url_id: bytes
    host: str
    site: str
    skip_reason: str
    link: Link


class Discovery:
    """Judges the links of pages under one scope.

    Most links of a page stood on the page before it, so what was found out about a URL is
    remembered for a while.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._remembered: dict[str, Target | None] = {}

    def found_on(self, page_url: str, links: Iterable[Link], depth: int) -> list[FoundLink]:
        """Return each target once, judged for `depth`; a page's link to itself is left out."""
        own = self._target(page_url)
        seen = {own.url_id} if own is not None else set()
        found = []
        for link in links:
            target = self._target(link.url)
            if target is not None and target.url_id not in seen:
                seen.add(target.url_id)
                found.append(self._judge(target, link, depth))
        return found

    def found_by_address(self, url: str, depth: int) -> FoundLink | None:
        """Return what a bare address (start URL, redirect) leads to, or None if it is no URL."""
        parsed = parse_url(url)
        target = self._target(parsed) if parsed is not None else None
        return self._judge(target, Link(parsed), depth) if parsed and target else None

    def _judge(self, target: Target, link: Link, depth: int) -> FoundLink:
        if not target.reason and self._scope.is_too_deep(link.url, depth):
            target = target._replace(reason=str(Reason.DEPTH))
        return FoundLink(*target, link)

    def _target(self, url: str) -> Target | None:
        """Return what is known of a parsed URL, or None if it cannot be fetched."""
        try:
            return self._remembered[url]
        except KeyError:
            pass
        key = normalize_url(url)
        target = None
        if key is not None:
            reason = trap_reason(url) or self._scope.judge(url, 0) or ""
            target = Target(url_id_of(key), host_of(url), site_of(url), reason)
        if len(self._remembered) >= REMEMBERED_URLS:
            self._remembered.clear()
        self._remembered[url] = target
        return target
