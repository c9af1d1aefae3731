"""From the links on a page to URLs for the frontier: identity, site, and whether to follow."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from telusur.crawl.rules.scope import Scope
from telusur.crawl.rules.traps import trap_reason
from telusur.crawl.urls.identity import host_of, key_of, normalize_url, parse_url, site_of
from telusur.models import Link, Reason, url_id_of

REMEMBERED_URLS = 20_000
_NEVER = 1_000_000_000


@dataclass(slots=True)
class Target:
    """What is known about a URL wherever it is found; its reason ignores depth."""

    url_id: bytes
    host: str
    site: str
    reason: str
    # The smallest depth at which it was passed on.
    nearest: int = _NEVER


class FoundLink(NamedTuple):
    """A link with everything the frontier needs to know about its target."""

    url_id: bytes
    host: str
    site: str
    skip_reason: str
    link: Link
    # The user's own code wants it, even if that code refused it on another page.
    is_wanted: bool = False
    # The score from the user's own code; if None, the strategy decides.
    score: float | None = None


@dataclass(slots=True)
class FoundLinks:
    """The links of one page, each target once: all of them, and those that may be new."""

    links: list[Link]
    # The identity of each link's target.
    targets: list[bytes]
    fresh: list[FoundLink]
    # The positions of links that may be followed and were passed on before, if requested.
    again: list[int]


@dataclass(slots=True, frozen=True)
class _Judged:
    """A scope, and its recent decisions about URLs."""

    scope: Scope
    targets: dict[str, Target | None] = field(default_factory=dict)


class Discovery:
    """Judges the links of pages under one scope.

    Most links of a page were on the page before it. So decisions about a URL are cached for a
    while, and a link is `fresh` only the first time, or when it is found nearer to a start URL.
    With `repeats` each link is fresh every time, for hooks that judge each link again. With
    `sees_again` the links that are not fresh are listed, for strategies that count them.
    """

    def __init__(self, scope: Scope, *, repeats: bool = False, sees_again: bool = False) -> None:
        self._judged = _Judged(scope)
        self._repeats = repeats
        self._sees_again = sees_again

    @property
    def scope(self) -> Scope:
        """Return the current scope."""
        return self._judged.scope

    def go_by(self, scope: Scope) -> None:
        """Use this scope from now on; links passed on before are passed on once more."""
        # Other threads may be reading: scope and cache are replaced together.
        self._judged = _Judged(scope)

    def found_on(self, page_url: str, links: Iterable[Link], depth: int) -> FoundLinks:
        """Return each target once, judged for `depth`; a page's link to itself is left out.

        The addresses are those of parsed URLs.
        """
        own = self._target(page_url)
        seen = {own.url_id} if own is not None else set()
        found = FoundLinks([], [], [], [])
        known, may_be_too_deep = self._judged.targets, self.has_depth_limit
        for link in links:
            target = known.get(link.url) or self._target(link.url)
            if target is None or target.url_id in seen:
                continue
            seen.add(target.url_id)
            found.links.append(link)
            found.targets.append(target.url_id)
            if depth < target.nearest or self._repeats:
                target.nearest = depth
                found.fresh.append(self._judge(target, link, depth))
            elif self._sees_again and not (
                self._reason(target, link, depth) if may_be_too_deep else target.reason
            ):
                found.again.append(len(found.links) - 1)
        return found

    def found_by_address(self, url: str, depth: int, base: str | None = None) -> FoundLink | None:
        """Return the target of a bare address (start URL, redirect), or None if it is not a URL."""
        parsed = parse_url(url, base)
        target = self._target(parsed) if parsed is not None else None
        return self._judge(target, Link(parsed), depth) if parsed and target else None

    @property
    def has_depth_limit(self) -> bool:
        """Tell whether it matters how far a page is from a start URL."""
        return self.scope.has_depth_limit

    def found_sitemap(self, url: str, base: str) -> FoundLink | None:
        """Return a sitemap that is named at `base`, or None if it is not a URL."""
        parsed = parse_url(url, base)
        target = self._target(parsed) if parsed is not None else None
        if parsed is None or target is None:
            return None
        reason = self.scope.judge_sitemap(parsed) or ""
        return FoundLink(target.url_id, target.host, target.site, reason, Link(parsed))

    def judge_again(self, found: FoundLink, depth: int) -> FoundLink:
        """Judge a link by the current scope; links refused for other reasons stay refused."""
        if found.skip_reason and not found.skip_reason.startswith((Reason.SCOPE, Reason.DEPTH)):
            return found
        target = self._target(found.link.url)
        assert target is not None
        return found._replace(skip_reason=self._judge(target, found.link, depth).skip_reason)

    def _judge(self, target: Target, link: Link, depth: int) -> FoundLink:
        reason = self._reason(target, link, depth)
        return FoundLink(target.url_id, target.host, target.site, reason, link)

    def _reason(self, target: Target, link: Link, depth: int) -> str:
        """Return why a link is not followed, or an empty text."""
        if not target.reason and self.scope.is_too_deep(link.url, depth):
            return str(Reason.DEPTH)
        return target.reason

    def _target(self, url: str) -> Target | None:
        """Return what is known about a parsed URL, or None if it cannot be fetched."""
        judged = self._judged
        try:
            return judged.targets[url]
        except KeyError:
            pass
        target = _find_out(url, judged.scope)
        if len(judged.targets) >= REMEMBERED_URLS:
            judged.targets.clear()
        judged.targets[url] = target
        return target


def _find_out(url: str, scope: Scope) -> Target | None:
    key = normalize_url(url) if "@" in url else key_of(url)
    if key is None:
        return None
    reason = trap_reason(url) or scope.judge(url, 0) or ""
    return Target(url_id_of(key), host_of(url), site_of(url), reason)
