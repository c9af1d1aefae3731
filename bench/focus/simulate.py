"""`focused` without a crawler: `python -m bench.focus.simulate DATA_DIR CACHE_DIR [--labels]`.

Drives the class over the encyclopedia's extracted pages, one at a time, as the crawler would, until
a tenth of the reachable pages is fetched: ten times as fast as bench.focus. Looks for the
development topics, or with `--set twelve` for those of the benchmark. What the strategy sees of
pages is kept in the cache: when `look` changes, take the sights away.
"""

import argparse
import math
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.focus.frontier import Waiting
from bench.focus.library import Library, read_library
from bench.focus.topics import Aim, aims_of
from telusur.crawl.strategies import Setup, Visit
from telusur.crawl.strategies.contract import Vectors
from telusur.crawl.strategies.focused.strategy import Focused
from telusur.crawl.topic import PageText, Topic
from telusur.encoders.by_name import find_vectors

KINDS = ("near", "far")
Watch = Callable[[Focused, Waiting, int], None]


class Sights:
    """What the strategy sees of pages for one topic, worked out once."""

    def __init__(
        self, library: Library, aim: Aim, cache: Path, vectors: Vectors | None = None
    ) -> None:
        self._library = library
        self._eyes = Focused(Setup(Topic(aim.query), vectors=vectors))
        kind = "sights" if vectors is not None else "plain-sights"
        self._file = cache / f"{kind}-{aim.name}.pickle"
        self._seen: dict[tuple[int, ...], Any] = {}
        if self._file.exists():
            self._seen = pickle.loads(self._file.read_bytes())
        self._size = len(self._seen)

    def of(self, page: int, order: Sequence[int]) -> Any:
        """Return what is seen of a page with its links in this order."""
        key = (page, hash(tuple(order)))
        if key not in self._seen:
            volume = self._library.volumes[page]
            links = [volume.links[place] for place in order]
            self._seen[key] = self._eyes.look(PageText(volume.document), links)
        return self._seen[key]

    def keep(self) -> None:
        """Write down what is new."""
        if len(self._seen) > self._size:
            self._file.write_bytes(pickle.dumps(self._seen, pickle.HIGHEST_PROTOCOL))


class Crawl:
    """One simulated crawl for a topic."""

    def __init__(
        self, library: Library, aim: Aim, sights: Sights, *, labels: bool, under_way: float = 0.0
    ) -> None:
        self.library = library
        self._sights = sights
        self._share_under_way = under_way
        told = tuple((library.ids[n], n in aim.relevant) for n in range(len(library)))
        self.strategy = Focused(Setup(Topic(aim.query, labels=told if labels else ())))
        self.waiting = Waiting(library)
        self._depth = np.full(len(library), 1_000_000)
        self._pages, self._rescore_at = 0, 1.0

    def go(self, seeds: Sequence[int], pages: int, watch: Watch | None = None) -> list[int]:
        """Fetch so many pages; return them in order."""
        self._depth[list(seeds)] = 0
        self.waiting.see(seeds, [1.0] * len(seeds))
        order: list[int] = []
        under_way: deque[int] = deque()
        while len(order) < pages:
            most = max(1, int(self._share_under_way * self._pages))
            for _ in range(min(most - len(under_way), pages - len(order))):
                if (page := self.waiting.take()) is not None:
                    order.append(page)
                    under_way.append(page)
            if not under_way:
                break
            for page in [under_way.popleft() for _ in range(min(len(under_way), (most + 1) // 2))]:
                if watch is not None:
                    watch(self.strategy, self.waiting, page)
                self._visit(page)
        return order

    def _visit(self, page: int) -> None:
        volume, strategy = self.library.volumes[page], self.strategy
        depth = int(self._depth[page]) + 1
        is_fresh = [depth < self._depth[target] for target in volume.targets]
        order = sorted(range(len(is_fresh)), key=lambda place: not is_fresh[place])
        targets = [volume.targets[place] for place in order]
        self._depth[targets] = np.minimum(self._depth[targets], depth)
        ids = self.library.ids
        visit = Visit(
            volume.document.url, depth - 1, "", ids[page], volume.document,
            sight=self._sights.of(page, order), link_ids=b"".join(ids[n] for n in targets),
        )  # fmt: skip
        strategy.learn(visit)
        self.waiting.see(targets, strategy.score([volume.links[p] for p in order], visit))
        self._pages += 1
        if self._pages >= self._rescore_at:
            strategy.rescore(self.waiting)
            self._rescore_at = self._pages + max(1.0, strategy.rescore_growth * self._pages)


def score(library: Library, aim: Aim, kind: str, order: Sequence[int]) -> list[float]:
    """Return recall after 5 and 10 % of the reachable pages, and harvest over the first 1 %."""
    reachable = library.reachable(aim.seeds[kind])
    relevant = aim.relevant & reachable
    found = [
        len(relevant.intersection(order[: math.ceil(share * len(reachable))]))
        for share in (0.05, 0.10, 0.01)
    ]
    parts = (len(relevant), len(relevant), math.ceil(0.01 * len(reachable)))
    return [count / part for count, part in zip(found, parts, strict=True)]


def simulate(
    library: Library,
    aim: Aim,
    kind: str,
    cache: Path,
    *,
    labels: bool,
    has_vectors: bool = True,
    under_way: float = 0.0,
    watch: Watch | None = None,
) -> list[float]:
    """Crawl for one topic; return how well it went."""
    sights = Sights(library, aim, cache, find_vectors() if has_vectors else None)
    crawl = Crawl(library, aim, sights, labels=labels, under_way=under_way)
    budget = math.ceil(0.10 * len(library.reachable(aim.seeds[kind])))
    order = crawl.go(aim.seeds[kind], budget, watch)
    sights.keep()
    return score(library, aim, kind, order)


def main() -> int:
    """Read the arguments, crawl for each topic, print the means."""
    options = _options()
    cache = Path(options.cache)
    library = read_library(Path(options.data), cache)
    aims = [aim for aim in aims_of(options.set, library, Path(options.data))
            if not options.topics or aim.name in options.topics]  # fmt: skip
    for labels in (False, True):
        if options.labels not in ("both", "yes" if labels else "no"):
            continue
        for kind in options.seeds.split(","):
            started, rows = time.process_time(), []
            for aim in aims:
                found = simulate(
                    library, aim, kind, cache, labels=labels, has_vectors=not options.plain,
                    under_way=options.under_way,
                )  # fmt: skip
                rows.append(found)
                if options.each:
                    print(aim.name, len(aim.relevant), _shown(rows[-1]), flush=True)
            took = (time.process_time() - started) / len(aims)
            name = "labels" if labels else "words"
            print(f"{options.set} {name} {kind}: {_shown(np.mean(rows, axis=0))}; {took:.2f} s",
                  flush=True)  # fmt: skip
    return 0


def _shown(row: Any) -> str:
    return " / ".join(f"{value:.3f}" for value in row)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="directory with topics.json and the pages")
    parser.add_argument("cache", help="where the pages made ready are kept")
    parser.add_argument("--set", default="development", help="or twelve")
    parser.add_argument("--seeds", default=",".join(KINDS))
    parser.add_argument("--labels", default="both", help="yes, no or both")
    parser.add_argument("--topics", nargs="*", default=[], help="only these topics")
    parser.add_argument("--plain", action="store_true", help="without vectors of words")
    parser.add_argument(
        "--under-way", type=float, default=0.0,
        help="share of the pages that is fetched while nothing is known of it yet",
    )  # fmt: skip
    parser.add_argument("--each", action="store_true", help="also print each topic")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
