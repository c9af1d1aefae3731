"""What waits in a simulated crawl, in memory; does with scores what the frontier on disk does."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.focus.library import Library
from telusur.crawl.strategies.contract import WaitingUrl


class Waiting:
    """The pages that wait, each with its latest score; the first found comes first among equals."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._page_of = {url_id: page for page, url_id in enumerate(library.ids)}
        self._scores: NDArray[np.float64] = np.full(len(library), -np.inf)
        """By the order in which pages were found."""
        self.found: list[int] = []
        self._place_of: dict[int, int] = {}
        self.done: set[int] = set()

    def see(self, pages: Sequence[int], scores: Sequence[float]) -> None:
        """Note pages that links lead to, and what they are worth now."""
        for page, score in zip(pages, scores, strict=True):
            if page in self.done:
                continue
            place = self._place_of.setdefault(page, len(self.found))
            if place == len(self.found):
                self.found.append(page)
            self._scores[place] = score

    def take(self) -> int | None:
        """Return the best page, or None if nothing waits."""
        place = int(np.argmax(self._scores))
        if np.isneginf(self._scores[place]):
            return None
        self._scores[place] = -np.inf
        page = self.found[place]
        self.done.add(page)
        return page

    def pages(self) -> list[int]:
        """Return what waits, in the order it was found."""
        return [page for page in self.found if page not in self.done]

    # What `rescore` works on

    def count(self) -> int:
        """Return how many pages wait."""
        return len(self.found) - len(self.done)

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return those with the best scores, the best first."""
        order = np.argsort(-self._scores[: len(self.found)], kind="stable")[:limit]
        return [self._url(place) for place in order.tolist() if self._scores[place] > -np.inf]

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Walk over all that waits."""
        yield self.best(len(self.found))

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Do so with rows and ids alone."""
        for urls in self.walk(batch):
            yield [url.row for url in urls], b"".join(url.url_id for url in urls)

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Give pages that wait new scores."""
        self._scores[list(rows)] = scores

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Give pages that are known by their ids new scores."""
        self.see([self._page_of[url_id] for url_id in url_ids], scores)

    def edges(self) -> Iterator[Any]:
        """Yield none: `focused` does not ask."""
        return iter(())

    def _url(self, place: int) -> WaitingUrl:
        url_id = self._library.ids[self.found[place]]
        return WaitingUrl(place, url_id, "", 1, float(self._scores[place]), b"")
