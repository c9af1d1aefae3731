"""The recorder: writes outcomes in groups, in the order that survives a `kill -9`.

For each group it writes (1) responses to the archive; (2) pages, documents and links, (3) new URLs
and (4) ended leases to the database. Groups that follow each other quickly share a transaction. The
archive is synced before the transaction commits. The indexer follows the changed documents on its
own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter

from telusur.crawl.frontier_records import LIMITS, LeasedUrl, Verdict
from telusur.crawl.hosts.holds import HOLDS, Hold, standing, unpack_holds
from telusur.crawl.rules.discovery import Discovery, FoundLink
from telusur.crawl.rules.sitemap_listing import DEPTH
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.crawl.rules.trap_memory import restore_yields, save_yields
from telusur.crawl.rules.traps import Yields, family_of
from telusur.crawl.rules.verdicts import is_unreachable
from telusur.crawl.urls.identity import site_of
from telusur.fetch.robots import rules_from
from telusur.machine.memory import FreedMemory
from telusur.models import Document, Reason, State
from telusur.pipeline.link_intake import LinkIntake
from telusur.pipeline.outcomes import Gained, Group, Outcome, Refill
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.parsing.site_memory import SiteMemory
from telusur.pipeline.plan.strategy_source import StrategySource
from telusur.pipeline.scoring import Scoring
from telusur.pipeline.sitemap_intake import SitemapIntake
from telusur.store.records import ArchiveKey
from telusur.store.session import Session

COMMIT_SECONDS = 0.25
COMMIT_PAGES = 4
# An ordered strategy writes page by page. Its transaction stays open for COMMIT_SECONDS, up to
# COMMIT_PAGES or this share of all pages, so that a kill never costs much.
COMMIT_SHARE = 0.05
# How often the knowledge about traps and sites is saved.
YIELDS_SECONDS = 30.0


class Recorder:
    """Owns the writing side of one collection while a crawl runs."""

    def __init__(
        self,
        session: Session,
        discovery: Discovery,
        strategy: StrategySource,
        *,
        heeds_traps: bool = True,
        learns_sites: bool = False,
    ) -> None:
        self._session = session
        self.frontier = session.frontier
        self.catalogue = session.catalogue
        self.near = session.near
        self.sites = SiteMemory(self.catalogue)
        self.scoring = Scoring(strategy, session.strategy_state)
        self.frontier.order_by(self.scoring.strategy)
        self._discovery = discovery
        self._scope_number = discovery.scope.number
        self._links = LinkIntake(self.frontier, self.catalogue, discovery, self.scoring)
        self._sitemaps = SitemapIntake(
            session.sitemaps, self.scoring.strategy, self._links.add_listed
        )
        self._heeds_traps = heeds_traps
        self._learns_sites = learns_sites
        # The id of the running crawl; None before it is recorded.
        self.crawl_id: int | None = None
        self.yields = Yields()
        restore_yields(self.yields, self.catalogue.fact("traps") or b"")
        self._yields_saved_at = 0.0
        # Link targets of the group being written; the frontier gets them at the end of the group.
        self._met: set[bytes] = set()
        # Whether the exchanged URLs of the group being written are waiting again.
        self._is_given_back = False
        # Pages in the open transaction.
        self._pages = 0
        # Hosts on hold at the end of the last run.
        self.holds: list[Hold] = []
        self._freed = FreedMemory()
        # When the open transaction must commit; None if there is none.
        self.commit_at: float | None = None

    def recover(self, now: float) -> None:
        """Restore the holds that hosts asked for in the last run.

        Our own pauses are dropped: settings may have changed, and a host that was down may be back.
        """
        with self.transaction():
            self.holds = unpack_holds(self.catalogue.fact(HOLDS))
            self.frontier.rest(standing(self.holds, now))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as one transaction, outside the groups."""
        with self._guarded():
            self._session.begin()
            yield
            self._session.commit()

    def look_for_sitemaps(self, rules: SitemapRules) -> Gained:
        """Queue the unread sitemaps that start hosts named in an earlier crawl.

        A host with URLs left to fetch names its sitemaps again. The caller owns the transaction.
        """
        gained = Gained()
        for host in rules.start_hosts if rules.is_on else ():
            stored = self.catalogue.robots_of(host)
            if stored is not None:
                robots = rules_from(stored.data, stored.status)
                self._sitemaps.put_in_line(rules.of_host(host, robots), gained)
        return gained

    def write(self, group: Group, now: float) -> Refill:
        """Write one group and lease new work; `commit` or a deadline commits it.

        An ordered strategy sees the results of a group at once, committed or not.
        """
        with self._guarded():
            if self.commit_at is None:
                self._session.begin()
                self.commit_at, self._pages = now + COMMIT_SECONDS, 0
            self._pages += len(group.outcomes)
            keys = self._write_archive(group)  # 1
            self._is_given_back = False
            gained = self._write_rows(group, keys)
            for host, url_ids in group.given_back.items():  # 4
                self.frontier.give_back(host, url_ids)
            if group.holds is not None:
                self.catalogue.put_fact(HOLDS, group.holds)
            for host, not_before in group.releases:
                self.frontier.release(host, not_before - now)
            self._change_limits(group, gained)
            more = {host: self._hand_out(group, host, k) for host, k in group.hungry}
            leases = self.frontier.lease(group.new_hosts, group.k)
            if self._learns_sites:
                self.sites.prepare(site_of(lease.host) for lease in leases)
            seconds_until_ready = self.frontier.seconds_until_ready()
            robots = {lease.host: self.catalogue.robots_of(lease.host) for lease in leases}
            if now - self._yields_saved_at >= YIELDS_SECONDS:
                self._save_yields(now)
            is_time = self._is_full() or now >= self.commit_at
            if is_time or group.limits or group.scope:
                self._commit()
        known_robots = {host: stored for host, stored in robots.items() if stored is not None}
        return Refill(tuple(leases), more, known_robots, seconds_until_ready, gained)

    def _is_full(self) -> bool:
        """Tell whether the open transaction must commit now."""
        enough = max(COMMIT_PAGES, COMMIT_SHARE * self.scoring.pages)
        return self._pages >= enough or not self.scoring.strategy.is_ordered

    def _hand_out(self, group: Group, host: str, k: int) -> tuple[LeasedUrl, ...]:
        back = group.exchanged.get(host)
        if back and not self._is_given_back:
            return self.frontier.exchange(host, [leased.url_id for leased in back], k)
        return self.frontier.top_up(host, k)

    def _change_limits(self, group: Group, gained: Gained) -> None:
        """Apply changed limits, to known URLs too."""
        if group.limits:
            self.catalogue.put_limits(group.limits)
        if group.scope is None:
            return
        score = self.scoring.strategy.plain_score
        kept_out = self.frontier.keep_out(group.scope.objection)
        more = self.frontier.admit_again(LIMITS, group.scope.judge, score) - kept_out
        gained.waiting += more
        gained.skipped -= more
        self._scope_number = group.scope.number

    def commit(self) -> None:
        """Commit the open transaction."""
        if self.commit_at is not None:
            with self._guarded():
                self._commit()

    def _commit(self) -> None:
        self.scoring.save()
        self._session.commit()
        self.commit_at = None
        self._freed.give_back()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Roll back the transaction after an error, and raise one that names the cause."""
        with self._session.guard():
            try:
                yield
            except BaseException:
                self.commit_at = None
                self._session.rollback()
                raise

    def finish(self, now: float) -> None:
        """End the crawl: free its leases, and prefer originals to their copies."""
        self.commit()
        with self.transaction():
            self._session.free()
            self.catalogue.settle_canonicals()
            self._save_yields(now)

    def _save_yields(self, now: float) -> None:
        """Save the knowledge about traps and sites with the pages it came from."""
        self.catalogue.put_fact("traps", save_yields(self.yields))
        self.sites.save()
        self._yields_saved_at = now

    def _write_archive(self, group: Group) -> dict[int, ArchiveKey]:
        keys = {}
        append = self._session.archive.append
        for number, outcome in enumerate(group.outcomes):
            if outcome.page is not None and outcome.page.status is not None:
                started_at = perf_counter()
                parsed = outcome.parsed
                rendered, packed = (parsed.rendered, parsed.packed) if parsed else (b"", None)
                keys[number] = append(outcome.page, rendered, packed)
                _add_seconds(parsed, "write", started_at)
        for robots in group.robots:
            if robots.page.status is not None:
                append(robots.page)
        put_sheet = self.catalogue.put_style_sheet
        for sheet in group.sheets:
            put_sheet(sheet.url, append(sheet.page) if sheet.page.status is not None else None)
        return keys

    def _write_rows(self, group: Group, keys: dict[int, ArchiveKey]) -> Gained:
        taken: Counter[str] = Counter()
        verdicts = []
        self._met = set()
        for number, fetched in enumerate(group.outcomes):
            outcome = group.outcomes[number] = self._cut_trap(fetched)
            self._judge_again(outcome)
            reason = self._write_outcome(outcome, keys.get(number))  # 2
            verdict = outcome.verdict
            verdicts.append(replace(verdict, reason=reason) if reason else verdict)
            taken[outcome.site] += outcome.is_counted
        gained = self._links.add(group.outcomes)  # 3
        self._sitemaps.add(group.outcomes, self._judge_listed, gained)
        self._sitemaps.put_in_line(group.sitemaps, gained)
        verdicts = self._sitemaps.try_again(group.outcomes, verdicts, gained)
        self.frontier.settle(verdicts)  # 4
        if group.outcomes:
            self._rescore(group)
        self.frontier.count_taken(taken)
        for robots in group.robots:
            page = robots.page
            # An unreachable robots.txt is fetched again next time.
            if not is_unreachable(page):
                self.catalogue.put_robots(robots.host, robots.data, page.status, page.fetched_at)
        return gained

    def _rescore(self, group: Group) -> None:
        """Rescore waiting URLs when that is due, including those that this group gives back.

        How many URLs were leased ahead depends on speed; the order of pages must not.
        """
        self._is_given_back = self.scoring.is_rescore_due
        if self._is_given_back:
            for host, back in group.exchanged.items():
                self.frontier.give_back(host, [leased.url_id for leased in back])
            self.scoring.rescore()

    def _cut_trap(self, outcome: Outcome) -> Outcome:
        """Drop a page whose kind was recognised as a trap while it was in flight.

        The number of pages in flight depends on speed; the contents of a collection must not.
        """
        leased = outcome.leased
        if outcome.page is None or outcome.is_sitemap or not self._heeds_traps:
            return outcome
        reason = self.yields.stale_reason(leased.url, leased.depth)
        if reason is None:
            return outcome
        verdict = Verdict(leased.url_id, State.SKIPPED, reason)
        return replace(outcome, verdict=verdict, parsed=None, redirect=None)

    def _judge_again(self, outcome: Outcome) -> None:
        """Judge again the links of a page that was parsed under older limits."""
        parsed, depth = outcome.parsed, outcome.leased.depth
        if parsed is None or not self._is_judged_before(outcome):
            return
        judge_again = self._discovery.judge_again
        parsed.fresh = [judge_again(found, depth + 1) for found in parsed.fresh]
        if parsed.redirect is not None:
            parsed.redirect = judge_again(parsed.redirect, depth)

    def _judge_listed(self, found: FoundLink, outcome: Outcome) -> FoundLink:
        """Judge again the URLs of a sitemap that was parsed under older limits."""
        if not self._is_judged_before(outcome):
            return found
        return self._discovery.judge_again(found, DEPTH)

    def _is_judged_before(self, outcome: Outcome) -> bool:
        return outcome.parsed is not None and outcome.parsed.scope_number < self._scope_number

    def _write_outcome(self, outcome: Outcome, key: ArchiveKey | None) -> str:
        """Store page and document; return the reason that ends the URL."""
        reason = outcome.verdict.reason
        parsed, page, url_id = outcome.parsed, outcome.page, outcome.leased.url_id
        started_at = perf_counter()
        if page is None:
            return reason
        if parsed is not None and parsed.document is not None:
            self.scoring.judge(parsed, parsed.document)
            not_indexed = self._reason_not_to_index(url_id, parsed, parsed.document)
            reason = reason or not_indexed or parsed.trouble
            is_copy = not_indexed.startswith(Reason.DUPLICATE)
            leads_on = partial(self._leads_on, outcome.leased, parsed.fresh)
            self.yields.observe(page.url, parsed.sample, is_copy, leads_on)
            self._met.update(found.url_id for found in parsed.fresh)
            parsed.document.crawl_id = self.crawl_id
            self.catalogue.put_document(
                url_id, parsed.document, site=outcome.site, fetched_at=page.fetched_at,
                digest=parsed.digest, canonical=parsed.canonical_id, not_indexed=not_indexed,
            )  # fmt: skip
            if not not_indexed:
                self.near.put(url_id, parsed.signature)
            if parsed.evidence is not None and not is_copy:
                self.sites.learn(outcome.site, parsed.evidence)
            if parsed.links:
                self.catalogue.put_links(url_id, parsed.targets, parsed.links)
        if parsed is not None and parsed.truncated:
            page = replace(page, truncated=True)
        rendering = parsed.rendering if parsed is not None else ""
        _add_seconds(parsed, "write", started_at)
        self.catalogue.put_fetch(
            url_id, page, key, reason="; ".join(filter(None, (reason, rendering))),
            size_bytes=parsed.size_bytes if parsed else len(page.body),
            is_final=outcome.verdict.state is not State.WAITING, crawl_id=self.crawl_id,
            operations=parsed.operations if parsed is not None else {},
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
        """Return why a page is not indexed as a copy; empty if it is no copy.

        Of two copies, the one that the other names as canonical is indexed; else the one without a
        query; else the first.
        """
        kind = f"{Reason.DUPLICATE}: "
        twin = self.catalogue.twin_of(url_id, parsed.digest)
        if twin is None:
            kind += "near "
            twin = self.near.find(url_id, document.title, parsed.signature)
        if twin is None:
            return ""
        url = document.url
        if twin.canonical == url_id:
            self.catalogue.take_out_of_index(twin.url_id, f"{Reason.CANONICAL}: {url}")
            return ""
        if "?" in twin.url and "?" not in url:
            self.catalogue.take_out_of_index(twin.url_id, kind + url)
            return ""
        return kind + twin.url

    def _leads_on(self, leased: LeasedUrl, links: Sequence[FoundLink]) -> bool:
        """Tell whether a page links to a new page that is not of its own kind."""
        own = family_of(leased.url)
        depth = leased.depth + 1
        others = [
            found.url_id
            for found in links
            if not found.skip_reason
            and family_of(found.link.url) != own
            and not self.yields.stale_reason(found.link.url, depth)
        ]
        unmet = [url_id for url_id in others if url_id not in self._met]
        return len(self.frontier.known_ids(unmet)) < len(unmet)


def _add_seconds(parsed: Parsed | None, operation: str, started_at: float) -> None:
    """Add the time since `started_at` to the time of an operation on a page."""
    if parsed is not None:
        before = parsed.operations.get(operation, 0.0)
        parsed.operations[operation] = before + perf_counter() - started_at
