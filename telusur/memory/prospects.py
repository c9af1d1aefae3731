"""What a strategy works on and what it has learned, in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import WaitingUrl, numbers_of
from telusur.memory.state import KnownUrl, Workspace
from telusur.models import State


class MemoryProspects:
    """Implements `telusur.store.catalogue.StrategyState`."""

    def __init__(self, space: Workspace) -> None:
        self._space = space

    def _waiting(self) -> list[KnownUrl]:
        urls = self._space.read().urls.values()
        return [url for url in urls if url.state is State.WAITING]

    def count(self) -> int:
        """Return how many URLs wait."""
        return len(self._waiting())

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return waiting URLs with the best scores, best first."""
        best = sorted(self._waiting(), key=lambda url: (-url.score, url.number))
        return [_as_seen(url) for url in best[:limit]]

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Walk over all waiting URLs in the order they were found, some at a time."""
        waiting = sorted(self._waiting(), key=lambda url: url.number)
        for start in range(0, len(waiting), batch):
            yield [_as_seen(url) for url in waiting[start : start + batch]]

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Walk over rows and joined url_ids only."""
        for urls in self.walk(batch):
            yield [url.row for url in urls], b"".join(url.url_id for url in urls)

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores."""
        ids = {url.number: url.url_id for url in self._space.read().urls.values()}
        self.put_scores_of([ids[int(row)] for row in rows], scores)

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores, by id."""
        tables = self._space.write()
        for url_id, score in zip(url_ids, scores, strict=True):
            url = tables.urls.get(url_id)
            if url is not None and url.is_open:
                tables.put(replace(url, score=float(score)))

    def edges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        """Yield the links of fetched pages, from and to, by the numbers of their url_ids."""
        for url_id, (targets, _) in sorted(self._space.read().links.items()):
            to = numbers_of(targets)
            yield np.repeat(numbers_of(url_id), len(to)), to

    # State

    def state(self) -> dict[str, bytes]:
        """Return what was saved, by part."""
        return dict(self._space.read().strategy)

    def put_state(self, parts: Mapping[str, bytes]) -> None:
        """Save parts of what was learned."""
        self._space.write().strategy.update(parts)

    def start_over(self, score_at: Mapping[int, float]) -> None:
        """Forget what another strategy learned; score waiting URLs by their depth."""
        tables = self._space.write()
        tables.strategy.clear()
        for url in list(tables.urls.values()):
            score = score_at.get(url.depth, url.score) if url.is_open else url.score
            tables.put(replace(url, score=score, note=b""))

    def depths(self) -> list[int]:
        """Return the depths at which URLs wait."""
        urls = self._space.read().urls.values()
        return sorted({url.depth for url in urls if url.is_open})


def _as_seen(url: KnownUrl) -> WaitingUrl:
    return WaitingUrl(url.number, url.url_id, url.url, url.depth, url.score, url.note)
