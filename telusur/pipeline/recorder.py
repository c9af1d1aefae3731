"""The recorder: writes what happened in groups, in the order that survives a `kill -9`.

For each group: (1) responses into the archive; (2) pages, documents and links, (3) new URLs into
the frontier, (4) the leases that are over into the database. Groups that follow each other quickly
share a transaction; before it is committed, the archive is synced. The index follows by itself from
the documents' numbers.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_frontier import SqliteFrontier
from telusur.adapters.sqlite_near import NearDuplicates
from telusur.adapters.sqlite_prospects import SqliteProspects
from telusur.adapters.sqlite_schema import storage_errors
from telusur.adapters.sqlite_second_look import LIMITS
from telusur.adapters.sqlite_sitemaps import SqliteSitemaps
from telusur.adapters.warc import Place, WarcArchive
from telusur.crawl.discovery import Discovery, FoundLink
from telusur.crawl.frontier import LeasedUrl
from telusur.crawl.listing import DEPTH
from telusur.crawl.sitemap_rules import SitemapRules
from telusur.crawl.trap_memory import restore_yields, save_yields
from telusur.crawl.traps import Yields, family_of
from telusur.crawl.verdicts import is_unreachable
from telusur.models import Document, Reason, State
from telusur.run.link_intake import LinkIntake
from telusur.run.outcomes import Gained, Group, Outcome, Refill
from telusur.run.parsing import Parsed
from telusur.run.robots_gate import rules_from
from telusur.run.scoring import Scoring
from telusur.run.sitemap_intake import SitemapIntake
from telusur.run.strategy_source import StrategySource

COMMIT_SECONDS = 0.25
COMMIT_PAGES = 4
COMMIT_SHARE = 0.05
"""So long, and for fewer pages or a smaller share of those written, a transaction is kept open for
an ordered strategy, which writes page by page: what a kill costs is never much of what there is."""
YIELDS_SECONDS = 30.0
"""How often what was learned about traps is written down."""


class Recorder:
    """Owns the writing side of one collection while a crawl runs."""

    def __init__(
        self,
        directory: Path,
        connection: sqlite3.Connection,
        discovery: Discovery,
        strategy: StrategySource,
    ) -> None:
        self._directory = directory
        self._db = connection
        self.frontier = SqliteFrontier(connection)
        self.catalogue = SqliteCatalogue(connection)
        self.near = NearDuplicates(connection)
        self._archive = WarcArchive(directory / "archive")
        self.scoring = Scoring(strategy, SqliteProspects(connection))
        self.frontier.order_by(self.scoring.strategy)
        self._discovery = discovery
        self._scope_number = discovery.scope.number
        self._links = LinkIntake(self.frontier, self.catalogue, discovery, self.scoring)
        self._sitemaps = SitemapIntake(
            SqliteSitemaps(connection, self.frontier), self.scoring.strategy, self._links.add_listed
        )
        self.yields = Yields()
        restore_yields(self.yields, self.catalogue.fact("traps") or b"")
        self._yields_saved_at = 0.0
        self._pages = 0
        """How many pages the transaction has."""
        self.commit_at: float | None = None
        """When what was written is to be committed; None if all is."""

    def recover(self, now: float) -> None:
        """Bring archive and leases back to the last commit after an unclean end."""
        with storage_errors(self._directory), self._db:
            self._archive.cut_behind(self.catalogue.archive_end())
            self._db.execute("BEGIN IMMEDIATE")
            self.frontier.release_all(now)

    def look_for_sitemaps(self, rules: SitemapRules, now: float) -> Gained:
        """Put sitemaps in line that start hosts named in an earlier crawl, and it did not read.

        Hosts with anything left to fetch name theirs themselves. The caller owns the transaction.
        """
        gained = Gained()
        for host in rules.start_hosts if rules.is_on else ():
            stored = self.catalogue.robots_of(host)
            if stored is not None:
                robots = rules_from(stored.data, stored.status)
                self._sitemaps.put_in_line(rules.of_host(host, robots), gained, now)
        return gained

    def write(self, group: Group, now: float) -> Refill:
        """Write one group and hand out new work; it is committed by `commit`, or when it is time.

        What an ordered strategy learned from a group is seen at once, committed or not.
        """
        with storage_errors(self._directory), self._rolled_back_after_errors():
            if self.commit_at is None:
                self._db.execute("BEGIN IMMEDIATE")
                self.commit_at, self._pages = now + COMMIT_SECONDS, 0
            self._pages += len(group.outcomes)
            places = self._write_archive(group)  # 1
            gained = self._write_rows(group, places, now)
            for host, url_ids in group.given_back.items():  # 4
                self.frontier.give_back(host, url_ids, now)
            for host, not_before in group.releases:
                self.frontier.release(host, not_before, now)
            self._change_limits(group, gained, now)
            more = {host: self._hand_out(group, host, k, now) for host, k in group.hungry}
            leases = self.frontier.lease(group.new_hosts, group.k, now)
            next_ready_at = self.frontier.next_ready_at()
            robots = {lease.host: self.catalogue.robots_of(lease.host) for lease in leases}
            if now - self._yields_saved_at >= YIELDS_SECONDS:
                self._save_yields(now)
            is_time = self._is_full() or now >= self.commit_at
            if is_time or group.limits or group.scope:
                self._commit()
        known_robots = {host: stored for host, stored in robots.items() if stored is not None}
        return Refill(tuple(leases), more, known_robots, next_ready_at, gained)

    def _is_full(self) -> bool:
        """Tell whether a transaction has so much that it is not kept open for more."""
        enough = max(COMMIT_PAGES, COMMIT_SHARE * self.scoring.pages)
        return self._pages >= enough or not self.scoring.strategy.is_ordered

    def _hand_out(self, group: Group, host: str, k: int, now: float) -> tuple[LeasedUrl, ...]:
        back = group.exchanged.get(host)
        if back:
            return self.frontier.exchange(host, [leased.url_id for leased in back], k, now)
        return self.frontier.top_up(host, k, now)

    def _change_limits(self, group: Group, gained: Gained, now: float) -> None:
        """Go by new limits from here on, also for what is known already."""
        if group.limits:
            self.catalogue.put_limits(group.limits)
        if group.scope is None:
            return
        score = self.scoring.strategy.plain_score
        kept_out = self.frontier.keep_out(group.scope.objection, now)
        more = self.frontier.admit_again(LIMITS, group.scope.judge, score, now) - kept_out
        gained.waiting += more
        gained.skipped -= more
        self._scope_number = group.scope.number

    def commit(self) -> None:
        """Let everything that was written survive whatever comes."""
        if self.commit_at is not None:
            with storage_errors(self._directory), self._rolled_back_after_errors():
                self._commit()

    def _commit(self) -> None:
        self.scoring.save()
        end = self._archive.sync()
        if end is not None:
            self.catalogue.put_archive_end(end)
        self._db.execute("COMMIT")
        self.commit_at = None

    @contextmanager
    def _rolled_back_after_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.commit_at = None
            self._db.rollback()
            raise

    def finish(self, now: float) -> None:
        """End the crawl: what is still leased waits again, copies give way to their originals."""
        self.commit()
        with storage_errors(self._directory), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self.frontier.release_all(now)
            self.catalogue.settle_canonicals()
            self._save_yields(now)

    def _save_yields(self, now: float) -> None:
        """Keep what was learned about traps together with what it was learned from."""
        self.catalogue.put_fact("traps", save_yields(self.yields))
        self._yields_saved_at = now

    def close(self) -> None:
        """Close the archive."""
        self._archive.close()

    def _write_archive(self, group: Group) -> dict[int, Place]:
        places = {}
        for number, outcome in enumerate(group.outcomes):
            if outcome.page is not None and outcome.page.status is not None:
                rendered = outcome.parsed.rendered if outcome.parsed is not None else b""
                places[number] = self._archive.append(outcome.page, rendered)
        for robots in group.robots:
            if robots.page.status is not None:
                self._archive.append(robots.page)
        return places

    def _write_rows(self, group: Group, places: dict[int, Place], now: float) -> Gained:
        taken: Counter[str] = Counter()
        verdicts = []
        for number, outcome in enumerate(group.outcomes):
            self._judge_again(outcome)
            reason = self._write_outcome(outcome, places.get(number))  # 2
            verdict = outcome.verdict
            verdicts.append(replace(verdict, reason=reason) if reason else verdict)
            taken[outcome.site] += outcome.page is not None and not outcome.is_sitemap
        gained = self._links.add(group.outcomes, now)  # 3
        self._sitemaps.add(group.outcomes, self._judge_listed, gained, now)
        self._sitemaps.put_in_line(group.sitemaps, gained, now)
        self.frontier.settle(verdicts, now)  # 4
        if group.outcomes:
            self.scoring.end_group()
        self.frontier.count_taken(taken)
        for robots in group.robots:
            page = robots.page
            if not is_unreachable(page):  # ask again next time
                self.catalogue.put_robots(robots.host, robots.data, page.status, page.fetched_at)
        return gained

    def _judge_again(self, outcome: Outcome) -> None:
        """Judge the links of a page that was parsed before the limits were changed."""
        parsed, depth = outcome.parsed, outcome.leased.depth
        if parsed is None or not self._is_judged_before(outcome):
            return
        judge_again = self._discovery.judge_again
        parsed.fresh = [judge_again(found, depth + 1) for found in parsed.fresh]
        if parsed.redirect is not None:
            parsed.redirect = judge_again(parsed.redirect, depth)

    def _judge_listed(self, found: FoundLink, outcome: Outcome) -> FoundLink:
        """Judge what a sitemap names that was parsed before the limits were changed."""
        if not self._is_judged_before(outcome):
            return found
        return self._discovery.judge_again(found, DEPTH)

    def _is_judged_before(self, outcome: Outcome) -> bool:
        return outcome.parsed is not None and outcome.parsed.scope_number < self._scope_number

    def _write_outcome(self, outcome: Outcome, place: Place | None) -> str:
        """Store page and document; return the reason the URL ends with."""
        reason = outcome.verdict.reason
        parsed, page, url_id = outcome.parsed, outcome.page, outcome.leased.url_id
        if page is None:
            return reason
        if parsed is not None and parsed.document is not None:
            self.scoring.judge(parsed, parsed.document)
            not_indexed = self._reason_not_to_index(url_id, parsed, parsed.document)
            reason = reason or not_indexed or parsed.trouble
            is_copy = not_indexed.startswith(Reason.DUPLICATE)
            leads_on = partial(self._leads_on, outcome.leased, parsed.fresh)
            self.yields.observe(page.url, parsed.sample, is_copy, leads_on)
            self.catalogue.put_document(
                url_id, parsed.document, site=outcome.site, fetched_at=page.fetched_at,
                digest=parsed.digest, canonical=parsed.canonical_id, not_indexed=not_indexed,
            )  # fmt: skip
            if not not_indexed:
                self.near.put(url_id, parsed.signature)
            if parsed.links:
                self.catalogue.put_links(url_id, parsed.targets, parsed.links)
        if parsed is not None and parsed.truncated:
            page = replace(page, truncated=True)
        rendering = parsed.rendering if parsed is not None else ""
        self.catalogue.add_page(
            url_id, page, place, reason="; ".join(filter(None, (reason, rendering))),
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
        return self._reason_as_twin(url_id, document, parsed)

    def _reason_as_twin(self, url_id: bytes, document: Document, parsed: Parsed) -> str:
        """Of two pages that say the same the first is indexed, or the one without a query.

        Before either counts what the first names as its original.
        """
        kind = f"{Reason.DUPLICATE}: "
        twin = self.catalogue.twin_of(url_id, parsed.digest)
        if twin is None:
            kind += "near "
            twin = self.near.find(url_id, document.title, parsed.signature)
        if twin is None:
            return ""
        url = document.url
        twin_id, twin_url, twin_canonical = twin
        if twin_canonical == url_id:
            self.catalogue.take_out_of_index(twin_id, f"{Reason.CANONICAL}: {url}")
            return ""
        if "?" in twin_url and "?" not in url:
            self.catalogue.take_out_of_index(twin_id, kind + url)
            return ""
        return kind + twin_url

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
