"""Adds sitemaps and their URLs to the frontier, a bounded number at a time."""

from collections.abc import Callable, Iterable, Sequence

from telusur.crawl.frontier_records import NewUrl, Verdict
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.sitemap_listing import DEPTH, Listed, lead_of
from telusur.crawl.rules.sitemaps import NamedSitemap
from telusur.crawl.strategies import Strategy
from telusur.models import Reason, State
from telusur.pipeline.outcomes import Gained, Outcome
from telusur.store.catalogue import Sitemaps

AddListed = Callable[[Sequence[NewUrl], Gained], None]
Judge = Callable[[FoundLink, Outcome], FoundLink]


class SitemapIntake:
    """Queues sitemaps and the URLs in them; the caller owns the transaction."""

    def __init__(self, sitemaps: Sitemaps, strategy: Strategy, add_listed: AddListed) -> None:
        self._sitemaps = sitemaps
        self._strategy = strategy
        self._add_listed = add_listed

    def put_in_line(self, named: Iterable[NamedSitemap], gained: Gained) -> None:
        """Queue sitemaps named by robots.txt, with the priority of a start URL."""
        score = self._strategy.start_score
        urls = [_new_url(one.found, score, None, how=one.named_by) for one in named]
        self._add(urls, 1, gained)

    def try_again(
        self, outcomes: Iterable[Outcome], verdicts: Iterable[Verdict], gained: Gained
    ) -> list[Verdict]:
        """Let URLs wait again that were named as sitemaps while they were fetched as pages."""
        was_no_page = {one.leased.url_id for one in outcomes if _was_no_page(one)}
        named = self._sitemaps.named(list(was_no_page)) if was_no_page else set()
        gained.waiting += len(named)
        gained.skipped -= len(named)
        return [
            Verdict(one.url_id, State.WAITING, tries=0) if one.url_id in named else one
            for one in verdicts
        ]

    def add(self, outcomes: Iterable[Outcome], judge: Judge, gained: Gained) -> None:
        """Add the URLs of the sitemaps in a group; `judge` applies the current limits."""
        for outcome in outcomes:
            if outcome.is_sitemap:
                self._add_one(outcome, judge, gained)

    def _add_one(self, outcome: Outcome, judge: Judge, gained: Gained) -> None:
        leased, level = outcome.leased, max(outcome.leased.sitemap, 1)
        if outcome.redirect is not None:
            target = _new_url(outcome.redirect, leased.score, leased.url_id, leased.hops + 1)
            self._add([target], level, gained)
        listing = outcome.parsed.listing if outcome.parsed is not None else None
        if listing is None:
            return
        plain = self._strategy.plain_score(DEPTH)
        parts = [_new_url(part, plain, leased.url_id) for part in listing.parts]
        self._add(parts, level + 1, gained)
        for packed in listing.unpacked():
            listed = [one._replace(found=judge(one.found, outcome)) for one in packed]
            self._add_listed([_page_url(one, plain, leased.url_id) for one in listed], gained)
            self._sitemaps.put_listed(leased.url_id, listed)
        self._sitemaps.end(leased.url_id, level, listing.named)

    def _add(self, urls: Sequence[NewUrl], level: int, gained: Gained) -> None:
        added = self._sitemaps.add(urls, level)
        if added is not None:
            gained.count(added)


def _was_no_page(outcome: Outcome) -> bool:
    is_other_type = outcome.verdict.reason.startswith(Reason.CONTENT_TYPE)
    return not outcome.leased.sitemap and is_other_type


def _page_url(listed: Listed, plain: float, parent: bytes) -> NewUrl:
    found = listed.found
    score = plain + lead_of(listed.priority) if found.score is None else found.score
    return NewUrl(
        found.url_id, found.link.url, found.host, found.site, DEPTH, score, parent,
        skip_reason=found.skip_reason, is_wanted=found.is_wanted,
    )  # fmt: skip


def _new_url(
    found: FoundLink, score: float, parent: bytes | None, hops: int = 0, how: str = ""
) -> NewUrl:
    return NewUrl(
        found.url_id, found.link.url, found.host, found.site, 0, score, parent, how, hops,
        found.skip_reason,
    )  # fmt: skip
