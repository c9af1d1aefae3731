"""The recorder: writes what happened in groups, in the order that survives a `kill -9`.

For each group: (1) responses into the archive, synced; then in one transaction (2) pages,
documents and links, (3) new URLs into the frontier, (4) the leases that are over. The index follows
by itself from the documents' numbers.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from telusur.adapters.sqlite_catalogue import SqliteCatalogue, StoredLink, StoredRobots
from telusur.adapters.sqlite_frontier import SqliteFrontier
from telusur.adapters.sqlite_schema import storage_errors
from telusur.adapters.warc import Place, WarcArchive
from telusur.crawl.discovery import Discovery, FoundLink
from telusur.crawl.frontier import HostLease, LeasedUrl, NewUrl, Verdict
from telusur.crawl.strategies import Strategy
from telusur.crawl.traps import Yields, family_of
from telusur.crawl.verdicts import is_unreachable
from telusur.models import Document, Page, Reason, State
from telusur.run.parsing import Parsed


@dataclass(slots=True, frozen=True)
class Outcome:
    """How one leased URL ended: its page, what the parser made of it, and the verdict."""

    leased: LeasedUrl
    host: str
    site: str
    verdict: Verdict
    page: Page | None = None
    parsed: Parsed | None = None
    redirect: FoundLink | None = None


@dataclass(slots=True, frozen=True)
class RobotsFile:
    """A robots.txt as it was answered."""

    host: str
    page: Page
    data: bytes


@dataclass(slots=True)
class Group:
    """What is written together, and what the scouter wants in return."""

    outcomes: list[Outcome] = field(default_factory=list)
    robots: list[RobotsFile] = field(default_factory=list)
    releases: list[tuple[str, float]] = field(default_factory=list)
    hungry: list[str] = field(default_factory=list)
    """Leased hosts whose URLs run low."""
    new_hosts: int = 0

    def is_empty(self) -> bool:
        """Tell whether there is nothing to write and nothing to ask for."""
        return not (self.outcomes or self.robots or self.releases or self.hungry or self.new_hosts)


@dataclass(slots=True)
class Gained:
    """What the pages of a group added to the frontier."""

    found: int = 0
    waiting: int = 0
    skipped: int = 0
    hosts: set[str] = field(default_factory=set)


@dataclass(slots=True, frozen=True)
class Refill:
    """What the frontier handed out in return for a group."""

    leases: tuple[HostLease, ...]
    more: dict[str, tuple[LeasedUrl, ...]]
    """More URLs for each hungry host; none when it has run dry."""
    robots: dict[str, StoredRobots]
    """What is known of the robots.txt of newly leased hosts."""
    next_ready_at: float | None
    gained: Gained


class Recorder:
    """Owns the writing side of one collection while a crawl runs."""

    def __init__(
        self,
        directory: Path,
        connection: sqlite3.Connection,
        discovery: Discovery,
        strategy: Strategy,
        k: int,
    ) -> None:
        self._directory = directory
        self._db = connection
        self.frontier = SqliteFrontier(connection)
        self.catalogue = SqliteCatalogue(connection)
        self._archive = WarcArchive(directory / "archive")
        self._discovery = discovery
        self._strategy = strategy
        self.yields = Yields()
        self._k = k

    def recover(self, now: float) -> None:
        """Bring archive and leases back to the last commit after an unclean end."""
        with storage_errors(self._directory), self._db:
            self._archive.cut_behind(self.catalogue.archive_end())
            self._db.execute("BEGIN IMMEDIATE")
            self.frontier.release_all(now)

    def write(self, group: Group, now: float) -> Refill:
        """Write one group and hand out new work."""
        with storage_errors(self._directory):
            places = self._write_archive(group)  # 1
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                gained = self._write_rows(group, places, now)
                for host, not_before in group.releases:  # 4
                    self.frontier.release(host, not_before, now)
                more = {host: self.frontier.top_up(host, self._k, now) for host in group.hungry}
                leases = self.frontier.lease(group.new_hosts, self._k, now)
                next_ready_at = self.frontier.next_ready_at()
                robots = {lease.host: self.catalogue.robots_of(lease.host) for lease in leases}
        known_robots = {host: stored for host, stored in robots.items() if stored is not None}
        return Refill(tuple(leases), more, known_robots, next_ready_at, gained)

    def finish(self, now: float) -> None:
        """End the crawl: what is still leased waits again, copies give way to their originals."""
        with storage_errors(self._directory), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self.frontier.release_all(now)
            self.catalogue.settle_canonicals()

    def close(self) -> None:
        """Close the archive."""
        self._archive.close()

    def _write_archive(self, group: Group) -> dict[int, Place]:
        places = {}
        for number, outcome in enumerate(group.outcomes):
            if outcome.page is not None and outcome.page.status is not None:
                places[number] = self._archive.append(outcome.page)
        for robots in group.robots:
            if robots.page.status is not None:
                self._archive.append(robots.page)
        self._end = self._archive.sync()
        return places

    def _write_rows(self, group: Group, places: dict[int, Place], now: float) -> Gained:
        gained = Gained()
        taken: Counter[str] = Counter()
        verdicts = []
        for number, outcome in enumerate(group.outcomes):
            reason = self._write_outcome(outcome, places.get(number))  # 2
            self._add_links(outcome, now, gained)  # 3
            verdicts.append(replace(outcome.verdict, reason=reason))
            taken[outcome.site] += outcome.page is not None
        self.frontier.settle(verdicts, now)  # 4
        self.frontier.count_taken(taken)
        for robots in group.robots:
            page = robots.page
            if not is_unreachable(page):  # ask again next time
                self.catalogue.put_robots(robots.host, robots.data, page.status, page.fetched_at)
        if self._end is not None:
            self.catalogue.put_archive_end(self._end)
        return gained

    def _write_outcome(self, outcome: Outcome, place: Place | None) -> str:
        """Store page and document; return the reason the URL ends with."""
        reason = outcome.verdict.reason
        parsed, page, url_id = outcome.parsed, outcome.page, outcome.leased.url_id
        if page is None:
            return reason
        if parsed is not None and parsed.document is not None:
            not_indexed = self._reason_not_to_index(url_id, parsed, parsed.document)
            reason = reason or not_indexed
            is_copy = not_indexed.startswith(Reason.DUPLICATE)
            leads_on = partial(self._leads_on, outcome.leased, parsed.links)
            self.yields.observe(page.url, parsed.sample, is_copy, leads_on)
            self.catalogue.put_document(
                url_id, parsed.document, site=outcome.site, fetched_at=page.fetched_at,
                digest=parsed.digest, canonical=parsed.canonical_id, not_indexed=not_indexed,
            )  # fmt: skip
            if parsed.links:
                stored = [StoredLink(found.url_id, found.link) for found in parsed.links]
                self.catalogue.put_links(url_id, stored)
        if parsed is not None and parsed.truncated:
            page = replace(page, truncated=True)
        self.catalogue.add_page(
            url_id, page, place, reason=reason,
            size_bytes=parsed.size_bytes if parsed else len(page.body),
            is_final=outcome.verdict.state is not State.WAITING,
        )  # fmt: skip
        return reason

    def _reason_not_to_index(self, url_id: bytes, parsed: Parsed, document: Document) -> str:
        if parsed.redirect is not None:
            return Reason.REDIRECT
        if document.noindex:
            return Reason.NOINDEX
        if not document.text.strip() and not document.title.strip():
            return Reason.EMPTY
        if parsed.is_soft_404:
            return Reason.SOFT_404
        return self._reason_as_twin(url_id, document.url, parsed.digest)

    def _reason_as_twin(self, url_id: bytes, url: str, digest: bytes) -> str:
        """Of two pages that say the same the first is indexed, or the one without a query.

        Before either counts what the first names as its original.
        """
        twin = self.catalogue.twin_of(url_id, digest)
        if twin is None:
            return ""
        twin_id, twin_url, twin_canonical = twin
        if twin_canonical == url_id:
            self.catalogue.take_out_of_index(twin_id, f"{Reason.CANONICAL}: {url}")
            return ""
        if "?" in twin_url and "?" not in url:
            self.catalogue.take_out_of_index(twin_id, f"{Reason.DUPLICATE}: {url}")
            return ""
        return f"{Reason.DUPLICATE}: {twin_url}"

    def _add_links(self, outcome: Outcome, now: float, gained: Gained) -> None:
        """Put what the page leads to into the frontier."""
        leased = outcome.leased
        new_urls = self._redirects(outcome) + self._new_urls(outcome)
        nearer = {}
        if new_urls and (depth := self.frontier.depth_of(leased.url_id)) < leased.depth:
            nearer[leased.url_id] = depth  # found nearer while it was in flight
        while new_urls:
            added = self.frontier.add(new_urls, now)
            gained.found += added.fresh
            gained.waiting += added.waiting
            gained.skipped += added.skipped
            gained.hosts |= added.hosts
            # Pages fetched before that turned out to be nearer: so are their links.
            nearer |= added.nearer
            new_urls = [
                new for url_id, depth in nearer.items() for new in self._again(url_id, depth)
            ]
            nearer = {}

    def _again(self, url_id: bytes, depth: int) -> Iterator[NewUrl]:
        """Return the links of a page fetched before, one step further than its new depth."""
        for stored in self.catalogue.links_of(url_id):
            target = self._discovery.found_by_address(stored.link.url, depth + 1)
            if target is not None:
                yield _new_url(target, depth + 1, self._plain_score(target, depth + 1), url_id)

    def _redirects(self, outcome: Outcome) -> list[NewUrl]:
        target = outcome.redirect or (outcome.parsed and outcome.parsed.redirect)
        if not target:
            return []
        leased = outcome.leased
        score = self._plain_score(target, leased.depth)
        return [_new_url(target, leased.depth, score, leased.url_id, hops=leased.hops + 1)]

    def _plain_score(self, target: FoundLink, depth: int) -> float:
        """Score a URL that has no page around it."""
        return self._strategy.score([target.link], Document(), depth)[0]

    def _new_urls(self, outcome: Outcome) -> list[NewUrl]:
        leased, parsed = outcome.leased, outcome.parsed
        if parsed is None or parsed.document is None:
            return []
        depth = leased.depth + 1
        links = [found.link for found in parsed.links]
        scores = self._strategy.score(links, parsed.document, depth)
        return [
            _new_url(found, depth, score, leased.url_id)
            for found, score in zip(parsed.links, scores, strict=True)
        ]

    def _leads_on(self, leased: LeasedUrl, links: Sequence[FoundLink]) -> bool:
        """Tell whether a page leads to a new page that is not one more of its own kind."""
        own = family_of(leased.url)
        depth = leased.depth + 1
        others = [
            found.url_id
            for found in links
            if not found.skip_reason
            and family_of(found.link.url) != own
            and not self.yields.stale_reason(found.link.url, depth)
        ]
        return len(self.frontier.known_ids(others)) < len(others)


def _new_url(found: FoundLink, depth: int, score: float, parent: bytes, *, hops: int = 0) -> NewUrl:
    return NewUrl(
        found.url_id, found.link.url, found.host, found.site, depth, score, parent,
        found.link.anchor[:200], hops, found.skip_reason,
    )  # fmt: skip
