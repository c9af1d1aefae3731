"""Folds: parts of the pages that are held out in turn, while engines train on the rest."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from telusur.errors import UsageError

# A site with fewer pages says hardly anything about its other pages.
LEAST_PAGES = 3
_NEVER = -1


class HasSite(Protocol):
    """Anything that comes from a site."""

    @property
    def site(self) -> str:
        """Return the site's name."""
        ...


P = TypeVar("P", bound=HasSite)
Fold = tuple[list[P], list[P]]


def folds_by_site(pages: Sequence[P], number: int = 4, seed: int = 0) -> list[Fold[P]]:
    """Return (training pages, test pages) `number` times; no site is on both sides.

    Sites are assigned from the largest to the smallest, each to the fold with the fewest pages.
    """
    counts = Counter(page.site for page in pages)
    _check(number, len(counts), "sites")
    order = sorted(counts)
    random.Random(seed).shuffle(order)  # noqa: S311 - not for secrets
    order.sort(key=lambda site: -counts[site])
    sizes, fold_of = [0] * number, {}
    for site in order:
        smallest = sizes.index(min(sizes))
        fold_of[site] = smallest
        sizes[smallest] += counts[site]
    return list(_folds(pages, [fold_of[page.site] for page in pages], number))


class HasSource(Protocol):
    """Anything that comes from a set of pages."""

    @property
    def source(self) -> str:
        """Return the set's name."""
        ...


def groups_of_sources(pages: Sequence[HasSource], number: int | None = None) -> list[list[str]]:
    """Return groups of sources to be held out together: one each, or so many of similar size."""
    counts = Counter(page.source for page in pages)
    number = len(counts) if number is None else number
    _check(number, len(counts), "sources")
    groups: list[list[str]] = [[] for _ in range(number)]
    sizes = [0] * number
    for source, size in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(source)
        sizes[smallest] += size
    return groups


def folds_by_page(
    pages: Sequence[P], number: int = 4, seed: int = 0, least: int = LEAST_PAGES
) -> list[Fold[P]]:
    """Return folds in which each test page has other pages of its site in the training set.

    Only pages of sites with at least `least` pages are held out, at random within their site; all
    others are always in the training set.
    """
    by_site: dict[str, list[P]] = defaultdict(list)
    for page in pages:
        by_site[page.site].append(page)
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    dealt: list[P] = []
    numbers: list[int] = []
    for site in sorted(by_site):
        own = by_site[site]
        start = chance.randrange(number)
        is_large = len(own) >= least
        dealt += chance.sample(own, len(own))
        numbers += [(start + at) % number if is_large else _NEVER for at in range(len(own))]
    held_back = len(numbers) - numbers.count(_NEVER)
    if not held_back:
        raise UsageError(f"No site has {least} pages; only folds by site are possible here.")
    _check(number, held_back, f"pages of sites that have {least}")
    return list(_folds(dealt, numbers, number))


def hold_out(pages: Sequence[P], share: float = 0.1, least: int = 10) -> tuple[list[P], list[P]]:
    """Return training pages, and held-out pages for early stopping; none if there are few pages."""
    if len(pages) < least:
        return list(pages), []
    every = max(2, round(1 / share))
    return (
        [page for at, page in enumerate(pages) if at % every],
        [page for at, page in enumerate(pages) if not at % every],
    )


def _folds(pages: Sequence[P], numbers: Sequence[int], number: int) -> Iterator[Fold[P]]:
    for fold in range(number):
        pairs = list(zip(pages, numbers, strict=True))
        yield (
            [page for page, own in pairs if own != fold],
            [page for page, own in pairs if own == fold],
        )


def _check(number: int, there_are: int, what: str) -> None:
    if number < 2:
        raise UsageError(f"folds: {number} is too few; give at least 2.")
    if there_are < number:
        raise UsageError(f"folds: {number} cannot be made of {there_are} {what}.")
