"""Adding URLs to the frontier: new ones, known ones, and those beyond its limit."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from telusur.crawl.frontier_records import Added, Drawn, NewUrl
from telusur.crawl.strategies.contract import Again, Strategy
from telusur.memory.scores import MemoryScores
from telusur.memory.state import KnownHost, KnownUrl, Tables, Workspace
from telusur.models import Reason, State
from telusur.store.frontier import Judge, MayTry, Sight

#: Reasons of URLs that were skipped for a limit that can change during a crawl.
LIMITS = (Reason.SCOPE, Reason.DEPTH)
_FETCHED = (State.LEASED, State.DONE)
_ENDED = (State.DONE, State.FAILED, State.SKIPPED)


class Intake:
    """Adds URLs and judges them again."""

    def __init__(self, space: Workspace) -> None:
        self._space = space
        self._scores = MemoryScores()
        self._most_waiting: int | None = None

    def order_by(self, strategy: Strategy) -> None:
        """Score and order URLs as this strategy wants."""
        self._scores.strategy = strategy

    def limit_waiting(self, most: int | None) -> None:
        """Limit waiting URLs to `most` from the next `add` on."""
        self._most_waiting = most

    # Adding URLs

    def add(self, urls: Sequence[NewUrl]) -> Added:
        """Add URLs, and return which were known."""
        tables, now = self._space.write(), self._space.clock()
        best = _one_of_each(urls)
        known = best.keys() & tables.urls.keys()
        if self._scores.again.counts:
            self._scores.combine(urls, best)
            followed = [best[url_id] for url_id in known if not best[url_id].skip_reason]
            self.see_again({new.url_id: (new.score, new.note) for new in followed})
        fresh = [new for url_id, new in best.items() if url_id not in known]
        for new in fresh:
            _insert(tables, new, now)
        waiting = [new for new in fresh if not new.skip_reason]
        nearer = {}
        for new in (best[url_id] for url_id in best if url_id in known):
            old = tables.urls[new.url_id]
            if _is_let_in(new, old):
                _admit(tables, new, now)
                waiting.append(new)
            elif new.depth < old.depth:
                self._move(tables, old, new.depth, new.score)
                if old.state in _FETCHED:
                    nearer[new.url_id] = new.depth
        pushed_out = self._push_out(tables)
        return Added(
            fresh=len(fresh),
            waiting=len(waiting) - pushed_out,
            skipped=len(fresh) - len(waiting) + pushed_out,
            hosts={new.host for new in waiting},
            nearer=nearer,
        )

    def add_again(self, urls: Sequence[NewUrl], may_try: MayTry) -> Added:
        """Add URLs; those that have ended and may be retried wait again."""
        added = self.add(urls)
        tables, now = self._space.write(), self._space.clock()
        again: list[NewUrl] = []
        states: Counter[State] = Counter()
        for new in urls:
            old = tables.urls[new.url_id]
            if not new.skip_reason and old.state in _ENDED and may_try(old.state, old.reason):
                _admit(tables, new, now)
                again.append(new)
                states[old.state] += 1
        return replace(
            added,
            waiting=added.waiting + len(again),
            skipped=added.skipped - states[State.SKIPPED],
            failed=-states[State.FAILED],
            hosts=added.hosts | {new.host for new in again},
        )

    def gather_again(self, totals: dict[bytes, Sight], seen: Mapping[bytes, Sight]) -> None:
        """Add to `totals` what one more page says about known URLs."""
        self._scores.gather(totals, seen)

    def see_again(self, scored: Mapping[bytes, Sight]) -> None:
        """Record further links to known URLs, with score and note."""
        tables = self._space.write()
        for url_id, sight in scored.items() if self._scores.again.counts else ():
            url = tables.urls.get(url_id)
            if url is not None and url.is_open:
                score, note = self._scores.merge((url.score, url.note), sight)
                tables.put(replace(url, score=score, note=note))

    def draw_nearer(self, url_ids: Sequence[bytes], depth: int, score: float) -> Drawn:
        """Lower the depth of known URLs to this one."""
        tables = self._space.write()
        drawn = Drawn({}, [])
        for url in [tables.urls[url_id] for url_id in url_ids if url_id in tables.urls]:
            if url.depth <= depth:
                continue
            self._move(tables, url, depth, score)
            if url.state in _FETCHED:
                drawn.nearer[url.url_id] = depth
            elif url.state is State.SKIPPED and url.reason.startswith(Reason.DEPTH):
                drawn.barred.append(url.url)
        return drawn

    def _move(self, tables: Tables, url: KnownUrl, depth: int, score: float) -> None:
        """Give a URL a new depth, and a new score if the strategy goes by depth alone."""
        by_depth = self._scores.again is Again.NEAREST and url.state is State.WAITING
        tables.put(replace(url, depth=depth, score=score if by_depth else url.score))

    def _push_out(self, tables: Tables) -> int:
        """Skip the worst of the waiting URLs when there are too many; return how many."""
        if self._most_waiting is None:
            return 0
        waiting = [url for url in tables.urls.values() if url.state is State.WAITING]
        waiting.sort(key=lambda url: (-url.score, url.number))
        worst, now = waiting[self._most_waiting :], self._space.clock()
        for url in worst:
            skipped = replace(url, state=State.SKIPPED, reason=Reason.FRONTIER_FULL)
            tables.put(replace(skipped, note=b"", changed_at=now))
        return len(worst)

    # Judging URLs again

    def keep_out(self, judge: Judge) -> int:
        """Skip waiting URLs that may no longer be fetched; return how many."""
        tables, now = self._space.write(), self._space.clock()
        kept_out = 0
        for url in list(tables.urls.values()):
            reason = judge(url.url, url.depth) if url.state is State.WAITING else None
            if reason is not None:
                tables.put(replace(url, state=State.SKIPPED, reason=reason, changed_at=now))
                kept_out += 1
        return kept_out

    def admit_again(
        self, reasons: tuple[str, ...], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Return URLs skipped for these reasons to waiting; return how many more URLs wait."""
        tables, now = self._space.write(), self._space.clock()
        admitted = 0
        for url in list(tables.urls.values()):
            if not _may_change(tables, url) or not url.reason.startswith(reasons):
                continue
            objection = judge(url.url, url.depth)
            if objection is None:
                tables.put(_waiting_again(url, score, now))
                admitted += 1
            elif url.reason.startswith(LIMITS):
                tables.put(replace(url, reason=objection))
        return admitted - self._push_out(tables)

    def retry_failed(
        self, is_to_retry: Callable[[str], bool], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Retry URLs that failed for such a reason; return how many more URLs wait."""
        tables, now = self._space.write(), self._space.clock()
        again = 0
        for url in list(tables.urls.values()):
            is_chosen = url.state is State.FAILED and is_to_retry(url.reason)
            if is_chosen and judge(url.url, url.depth) is None:
                tables.put(_waiting_again(url, score, now))
                again += 1
        return again - self._push_out(tables)


def _one_of_each(urls: Sequence[NewUrl]) -> dict[bytes, NewUrl]:
    """Keep one link per URL: one that may be followed, then the closest.

    The link counts as wanted if any link to the URL that may be followed is wanted.
    """
    best: dict[bytes, NewUrl] = {}
    for new in urls:
        old = best.get(new.url_id)
        if old is None or (bool(new.skip_reason), new.depth) < (bool(old.skip_reason), old.depth):
            best[new.url_id] = new
    wanted = {new.url_id for new in urls if new.is_wanted and not new.skip_reason}
    return {id_: new._replace(is_wanted=id_ in wanted) for id_, new in best.items()}


def _insert(tables: Tables, new: NewUrl, now: float) -> None:
    if new.host not in tables.hosts:
        tables.hosts[new.host] = KnownHost(len(tables.hosts), new.host, new.site)
        tables.taken.setdefault(new.site, 0)
    state = State.SKIPPED if new.skip_reason else State.WAITING
    url = KnownUrl(
        len(tables.urls) + 1, new.url_id, new.url, new.host, new.depth, state, new.skip_reason,
        new.score, new.hops, note=new.note, parent=new.parent, anchor=new.anchor, found_at=now,
        changed_at=now,
    )  # fmt: skip
    tables.put(url)


def _is_let_in(new: NewUrl, old: KnownUrl) -> bool:
    """Tell whether a URL that was skipped for its path has a better path now."""
    if old.state is not State.SKIPPED or new.skip_reason:
        return False
    if old.reason == Reason.FRONTIER_FULL:
        return new.score > old.score
    if old.reason.startswith((Reason.HOOKS, Reason.STRATEGY)):
        return new.is_wanted
    return old.reason.startswith(Reason.DEPTH)


def _admit(tables: Tables, new: NewUrl, now: float) -> None:
    """Return a URL that has ended to waiting."""
    old = tables.urls[new.url_id]
    url = replace(
        old, state=State.WAITING, reason="", depth=min(old.depth, new.depth), score=new.score,
        hops=new.hops, tries=0, retry_at=0.0, note=new.note or old.note, changed_at=now,
    )  # fmt: skip
    tables.put(url)


def _waiting_again(url: KnownUrl, score: Callable[[int], float], now: float) -> KnownUrl:
    return replace(
        url, state=State.WAITING, reason="", tries=0, retry_at=0.0,
        score=url.score or score(url.depth), changed_at=now,
    )  # fmt: skip


def _may_change(tables: Tables, url: KnownUrl) -> bool:
    """Tell whether a URL was skipped before it was fetched.

    The reason of a fetched URL comes from its response, except for limits, which never do.
    """
    is_limit = url.reason == Reason.DEPTH or url.reason.startswith(f"{Reason.SCOPE}:")
    return url.state is State.SKIPPED and (is_limit or url.url_id not in tables.fetches)
