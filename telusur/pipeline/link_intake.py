"""Adds the links of fetched pages to the frontier, scored by the strategy."""

from collections.abc import Iterator, Mapping, Sequence

from telusur.crawl.frontier_records import NewUrl
from telusur.crawl.rules.discovery import Discovery, FoundLink
from telusur.crawl.strategies import Scored
from telusur.pipeline.outcomes import Gained, Outcome
from telusur.pipeline.scoring import PageScores, Scoring
from telusur.store.catalogue import Catalogue
from telusur.store.frontier import Frontier

ANCHOR_CHARACTERS = 200
_UNSCORED = Scored(0.0)


class LinkIntake:
    """Adds link targets to the frontier; the caller owns the transaction."""

    def __init__(
        self,
        frontier: Frontier,
        catalogue: Catalogue,
        discovery: Discovery,
        scoring: Scoring,
    ) -> None:
        self._frontier = frontier
        self._catalogue = catalogue
        self._discovery = discovery
        self._scoring = scoring

    def add(self, outcomes: Sequence[Outcome]) -> Gained:
        """Add the links of a group of pages, all at once."""
        gained = Gained()
        leading_on = {}
        new_urls: list[NewUrl] = []
        seen_again: dict[bytes, tuple[float, bytes]] = {}
        for outcome, apart, scored in self._scored([one for one in outcomes if not one.is_sitemap]):
            self._frontier.gather_again(seen_again, scored.again)
            found = self._redirects(outcome) + self._links(outcome, scored.found) + apart
            if found:
                leading_on[outcome.leased.url_id] = outcome.leased.depth
                new_urls += found
        self._take_in(new_urls, self._found_nearer(leading_on), gained)
        self._frontier.see_again(seen_again)
        return gained

    def _scored(
        self, outcomes: Sequence[Outcome]
    ) -> Iterator[tuple[Outcome, list[NewUrl], PageScores]]:
        """Yield pages with their scored links, and the known links apart if the strategy counts."""
        if not self._scoring.strategy.counts_new:
            for outcome, scored in zip(outcomes, self._scoring.score(outcomes), strict=True):
                yield outcome, [], scored
            return
        met: dict[bytes, Scored] = {}
        for outcome in outcomes:
            apart = self._set_known_apart(outcome, met)
            (scored,) = self._scoring.score([outcome])
            met.update((found.url_id, one) for found, one in scored.found)
            yield outcome, apart, scored

    def add_listed(self, new_urls: Sequence[NewUrl], gained: Gained) -> None:
        """Add the URLs of a sitemap.

        A sitemap may list every page of a large site that was fetched before. New depths for their
        links matter only under a depth limit.
        """
        if self._discovery.has_depth_limit:
            self._take_in(new_urls, {}, gained)
        else:
            gained.count(self._frontier.add(new_urls))

    def _take_in(
        self, new_urls: Sequence[NewUrl], nearer: dict[bytes, int], gained: Gained
    ) -> None:
        """Add URLs, and update depths below pages that turned out to be nearer to a start URL."""
        added = self._frontier.add(new_urls)
        gained.count(added)
        nearer |= added.nearer
        while nearer:
            nearer = self._move_up(nearer, gained)

    def _move_up(self, pages: Mapping[bytes, int], gained: Gained) -> dict[bytes, int]:
        """Update the depths of link targets; return the pages among them, with their new depths."""
        nearer: dict[bytes, int] = {}
        let_in: list[NewUrl] = []
        for url_id, depth in pages.items():
            plain = Scored(self._scoring.strategy.plain_score(depth + 1))
            targets = self._catalogue.targets_of(url_id)
            drawn = self._frontier.draw_nearer(targets, depth + 1, plain.score)
            nearer |= drawn.nearer
            for url in drawn.barred:
                target = self._discovery.found_by_address(url, depth + 1)
                if target is not None and not target.skip_reason:
                    let_in.append(_new_url(target, depth + 1, plain, url_id))
        added = self._frontier.add(let_in)
        gained.count(added)
        return nearer | added.nearer

    def _set_known_apart(self, outcome: Outcome, met: Mapping[bytes, Scored]) -> list[NewUrl]:
        """Leave only new links to the strategy; return those known or met in this group."""
        leased, parsed = outcome.leased, outcome.parsed
        if parsed is None or parsed.document is None:
            return []
        known = self._frontier.known_ids([found.url_id for found in parsed.fresh]) | met.keys()
        apart = [found for found in parsed.fresh if found.url_id in known]
        parsed.fresh = [found for found in parsed.fresh if found.url_id not in known]
        depth = leased.depth + 1
        plain = Scored(self._scoring.strategy.plain_score(depth))
        return [
            _new_url(found, depth, met.get(found.url_id, plain), leased.url_id) for found in apart
        ]

    def _found_nearer(self, depths: dict[bytes, int]) -> dict[bytes, int]:
        """Return the pages whose depth shrank while they were in flight, with the new depth."""
        known = self._frontier.depths_of(list(depths))
        return {url_id: depth for url_id, depth in known.items() if depth < depths[url_id]}

    def _redirects(self, outcome: Outcome) -> list[NewUrl]:
        """Return the redirect target of a page, with the score of the page."""
        target = outcome.redirect or (outcome.parsed and outcome.parsed.redirect)
        if not target:
            return []
        leased = outcome.leased
        scored = Scored(leased.score, leased.note)
        return [_new_url(target, leased.depth, scored, leased.url_id, hops=leased.hops + 1)]

    def _links(self, outcome: Outcome, scored: Sequence[tuple[FoundLink, Scored]]) -> list[NewUrl]:
        """Return the links of a page, with scores if they are followed."""
        leased, parsed = outcome.leased, outcome.parsed
        if parsed is None or parsed.document is None:
            return []
        depth = leased.depth + 1
        followed = [_new_url(found, depth, one, leased.url_id) for found, one in scored]
        return followed + [
            _new_url(found, depth, _UNSCORED, leased.url_id)
            for found in parsed.fresh
            if found.skip_reason
        ]


def _new_url(
    found: FoundLink, depth: int, scored: Scored, parent: bytes, *, hops: int = 0
) -> NewUrl:
    score = scored.score if found.score is None else found.score
    return NewUrl(
        found.url_id, found.link.url, found.host, found.site, depth, score, parent,
        found.link.anchor[:ANCHOR_CHARACTERS], hops, found.skip_reason, found.is_wanted,
        scored.note,
    )  # fmt: skip
