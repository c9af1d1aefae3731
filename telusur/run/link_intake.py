"""From the pages of a group to new URLs in the frontier, scored by the strategy."""

from collections.abc import Iterator, Sequence

from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_frontier import SqliteFrontier
from telusur.crawl.discovery import Discovery, FoundLink
from telusur.crawl.frontier import NewUrl
from telusur.crawl.strategies import Strategy
from telusur.models import Document
from telusur.run.outcomes import Gained, Outcome

ANCHOR_CHARACTERS = 200


class LinkIntake:
    """Puts what pages lead to into the frontier; the caller owns the transaction."""

    def __init__(
        self,
        frontier: SqliteFrontier,
        catalogue: SqliteCatalogue,
        discovery: Discovery,
        strategy: Strategy,
    ) -> None:
        self._frontier = frontier
        self._catalogue = catalogue
        self._discovery = discovery
        self._strategy = strategy

    def add(self, outcomes: Sequence[Outcome], now: float) -> Gained:
        """Add the links of a group of pages, all at once."""
        gained = Gained()
        leading_on = {}
        new_urls: list[NewUrl] = []
        for outcome in outcomes:
            found = self._redirects(outcome) + self._links(outcome)
            if found:
                leading_on[outcome.leased.url_id] = outcome.leased.depth
                new_urls += found
        nearer = self._found_nearer(leading_on)
        while new_urls:
            added = self._frontier.add(new_urls, now)
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
        return gained

    def _found_nearer(self, depths: dict[bytes, int]) -> dict[bytes, int]:
        """Return the pages that were found nearer while they were in flight, with that depth."""
        known = self._frontier.depths_of(list(depths))
        return {url_id: depth for url_id, depth in known.items() if depth < depths[url_id]}

    def _again(self, url_id: bytes, depth: int) -> Iterator[NewUrl]:
        """Return the links of a page fetched before, one step further than its new depth."""
        for stored in self._catalogue.links_of(url_id):
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

    def _links(self, outcome: Outcome) -> list[NewUrl]:
        leased, parsed = outcome.leased, outcome.parsed
        if parsed is None or parsed.document is None or not parsed.fresh:
            return []
        depth = leased.depth + 1
        links = [found.link for found in parsed.fresh]
        scores = self._strategy.score(links, parsed.document, depth)
        return [
            _new_url(found, depth, score if found.score is None else found.score, leased.url_id)
            for found, score in zip(parsed.fresh, scores, strict=True)
        ]


def _new_url(found: FoundLink, depth: int, score: float, parent: bytes, *, hops: int = 0) -> NewUrl:
    return NewUrl(
        found.url_id, found.link.url, found.host, found.site, depth, score, parent,
        found.link.anchor[:ANCHOR_CHARACTERS], hops, found.skip_reason, found.is_wanted,
    )  # fmt: skip
