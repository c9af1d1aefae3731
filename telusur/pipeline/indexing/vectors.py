"""Computes vectors for semantic search in a share of the indexer's time."""

import logging
import time
from collections.abc import Callable

from telusur.encoders.by_name import DEFAULT, installed_models
from telusur.errors import UsageError
from telusur.pipeline.indexing.meaning import Meanings, MeaningStore
from telusur.store.store import Store

NEVER, AUTO, ALWAYS = "never", "auto", "always"
WISHES = (NEVER, AUTO, ALWAYS)

_LOG = logging.getLogger(__name__)


class VectorWork:
    """Keeps the vectors of a collection up to date with its catalogue."""

    def __init__(
        self, store: Store, wish: str, clock: Callable[[], float] = time.process_time
    ) -> None:
        self._meanings = Meanings(store)
        self._wish = wish
        self._clock = clock
        self._credit = 0.0

    def work(self, seconds: float) -> None:
        """Work for about this long; overtime is subtracted from the next calls."""
        self._credit = min(self._credit, 0.0) + seconds
        for store in self._stores():
            if self._credit <= 0:
                return
            started = self._clock()
            store.catch_up(self._credit, self._clock, with_tidying=False)
            self._credit -= self._clock() - started

    def finish(self, seconds: float) -> int:
        """Finish all documents if vectors were asked for; otherwise work for this long."""
        limit = None if self._wish == ALWAYS else seconds
        return sum(store.catch_up(limit, self._clock) for store in self._stores())

    def _stores(self) -> list[MeaningStore]:
        found = []
        for name in _models_to_follow(self._meanings, self._wish):
            try:
                found.append(self._meanings.store(name))
            except UsageError as error:
                # A search reports this too; indexing continues without vectors.
                _LOG.warning("%s", error)
        return found


def check_wish(wish: str, *, with_index: bool = True) -> None:
    """Raise UsageError if vectors are asked for and cannot be made."""
    if wish != ALWAYS:
        return
    if not with_index:
        raise UsageError("--vectors always: the indexer computes them; leave out --no-index.")
    if not installed_models():
        raise UsageError(
            "--vectors always: no model is installed; get one with"
            " `pip install wordllama tokenizers`."
        )


def _models_to_follow(meanings: Meanings, wish: str) -> list[str]:
    """Return the models to keep up to date: those with vectors, and one if asked for."""
    if wish == NEVER:
        return []
    installed = installed_models()
    wanted = [meanings.setting()]
    if wish == ALWAYS:
        usual = [name for name in (meanings.setting(), DEFAULT, *installed) if name in installed]
        wanted += usual[:1]
    kept = [name for name in installed if meanings.has_vectors(name)]
    return [name for name in dict.fromkeys([*wanted, *kept]) if name in installed]
