"""The suites find what is wrong: each of these copies of the memory store breaks one promise."""

import gzip
from dataclasses import replace

import pytest

from telusur import testing
from telusur.memory import MemoryStore
from telusur.memory.archive import MemoryArchive
from telusur.memory.catalogue import MemoryCatalogue
from telusur.memory.changes import MemoryChanges
from telusur.memory.frontier import MemoryFrontier
from telusur.memory.near import MemoryNearDuplicates
from telusur.memory.prospects import MemoryProspects
from telusur.memory.sitemaps import MemorySitemaps
from telusur.models import State
from telusur.store.records import ArchiveKey, Cursor

# Frontier


class LeasesTwice(MemoryFrontier):
    """Two sessions get one host."""

    def _lease_host(self, tables, host, k):
        lease = super()._lease_host(tables, host, k)
        tables.hosts[host.host] = replace(tables.hosts[host.host], owner=None)
        return lease


class HandsOutTwice(MemoryFrontier):
    """What is handed out still waits."""

    def _hand_out(self, tables, urls):
        leased = super()._hand_out(tables, urls)
        for url in urls:
            tables.put(replace(url, state=State.WAITING))
        return leased


class ForgetsRest(MemoryFrontier):
    """A released host may be asked at once."""

    def release(self, host, rest_seconds):
        super().release(host, 0.0)


class RetriesAtOnce(MemoryFrontier):
    """A URL that failed does not wait for its time."""

    def settle(self, verdicts):
        super().settle([replace(verdict, retry_after=0.0) for verdict in verdicts])


class RetriesAtOnceWhatCostNothing(MemoryFrontier):
    """A URL whose try cost nothing does not wait for its time."""

    def settle(self, verdicts):
        super().settle([replace(one, retry_after=one.retry_after * one.tries) for one in verdicts])


class ServesEverybody(MemoryFrontier):
    """A session tops up from a host of another."""

    def _is_mine(self, tables, host):
        return host in tables.hosts


class HoldsBackNewUrls(MemoryFrontier):
    """A host that has only URLs to be tried later rests until then."""

    def lease(self, hosts, k):
        leases = super().lease(hosts, k)
        tables = self._space.write()
        for name, host in tables.hosts.items():
            times = [url.retry_at for url in tables.urls.values() if url.host == name]
            if host.owner is None and times:
                tables.hosts[name] = replace(host, not_before=max(times))
        return leases


class KeepsDepth(MemoryFrontier):
    """A URL found nearer stays where it was."""

    def _move(self, tables, url, depth, score):
        pass


class CountsNearestOnly(MemoryFrontier):
    """Of several links to a URL in a group, only the nearest is looked at."""

    def add(self, urls):
        nearest = {new.url_id: new for new in sorted(urls, key=lambda new: -new.depth)}
        return super().add(list(nearest.values()))


# Catalogue


class LosesChange(MemoryCatalogue):
    """A document that changes again keeps its place, and followers are behind it."""

    def _put(self, tables, document):
        old = tables.documents.get(document.url_id)
        super()._put(tables, document)
        if old is not None:
            tables.documents[document.url_id] = replace(document, number=old.number)


class StoresTwice(MemoryCatalogue):
    """A document that is stored again is there twice."""

    def _put(self, tables, document):
        old = tables.documents.get(document.url_id)
        if old is not None:
            tables.documents[b"old " + old.url_id] = old
        super()._put(tables, document)


class ForgetsLimits(MemoryCatalogue):
    """Changed limits are not written down."""

    def put_limits(self, limits):
        pass


class RenewsTheTime(MemoryCatalogue):
    """What is extracted again counts as indexed, and as fetched now."""

    def renew_document(self, url_id, document, digest):
        self.put_document(
            url_id, document, site="a", fetched_at=self._space.clock(), digest=digest,
            canonical=None, not_indexed="",
        )  # fmt: skip


class FindsItself(MemoryNearDuplicates):
    """A page is taken for a copy of itself."""

    def find(self, url_id, title, signature):
        return super().find(b"somebody else", title, signature)


class TakesAllSitemaps(MemorySitemaps):
    """A known sitemap is added again."""

    def add(self, urls, level):
        self._space.write().sitemaps.clear()
        return super().add(urls, level)


class KeepsState(MemoryProspects):
    """What another strategy learned is kept."""

    def start_over(self, score_at):
        state = self.state()
        super().start_over(score_at)
        self.put_state(state)


# Archive and changes


class ReadsAnotherPage(MemoryArchive):
    """A key gives the page that was appended before."""

    def read(self, key, url):
        stripe, _, number = key.rpartition(":")
        return super().read(ArchiveKey(f"{stripe}:{max(0, int(number) - 1)}"), url)


class LosesBodies(MemoryArchive):
    """A record ends where the body of the answer begins."""

    def record_bytes(self, key):
        head, end, _ = gzip.decompress(super().record_bytes(key)).rpartition(b"\r\n\r\n")
        return gzip.compress(head[: head.index(b"HTTP/")] + end)


class CutsTooMuch(MemoryArchive):
    """What stands right before a mark is dropped too."""

    def cut_behind(self, mark):
        super().cut_behind(mark)
        if mark is not None:
            self.stripes[self.stripe].pop()


class CursorSkips(MemoryChanges):
    """The cursor stands one change too far."""

    def after(self, cursor, most, until=None):
        for change, behind in super().after(cursor, most, until):
            yield change, Cursor(str(int(behind) + 1))


class LosesLast(MemoryChanges):
    """A step that is full loses its last change, and its cursor is behind it."""

    def after(self, cursor, most, until=None):
        step = list(super().after(cursor, most, until))
        if len(step) == most > 1:
            step[-2:] = [(step[-2][0], step[-1][1])]
        yield from step


class ReadsOn(MemoryChanges):
    """Changes that came after an end are given too."""

    def after(self, cursor, most, until=None):
        yield from super().after(cursor, most)


class CountsChanges(MemoryChanges):
    """A document that changed twice is counted twice."""

    def count_after(self, cursor):
        return int(self.end()) - int(cursor or 0)


class StaysBehindTheEnd(MemoryChanges):
    """A cursor behind the end is kept."""

    def latest(self, cursor):
        return cursor


# Sessions


def with_parts(**parts):
    """Return a kind of store whose sessions have broken parts."""

    class Broken(MemoryStore):
        def session(self, *arguments, **more):
            session = super().session(*arguments, **more)
            for name, kind in parts.items():
                if issubclass(kind, MemorySitemaps):
                    part = kind(session._space, session.frontier)
                elif issubclass(kind, MemoryArchive):
                    part = kind(self.stripes, session.archive.stripe)
                else:
                    part = kind(session._space)
                setattr(session, name, part)
            return session

    return Broken


def with_changes(kind):
    class Broken(MemoryStore):
        def changes(self):
            return kind(self.committed)

    return Broken


class KeepsAfterRollback(MemoryStore):
    """A rollback keeps what was written."""

    def session(self, *arguments, **more):
        session = super().session(*arguments, **more)
        undo = session.rollback

        def rollback():
            if session._space.copy is not None:
                session.commit()
            undo()

        session.rollback = rollback
        return session


class LetsTheDeadWrite(MemoryStore):
    """A session that was found dead may begin and commit."""

    def _check_alive(self, owner):
        pass


class WritesInPlace(MemoryStore):
    """Everybody sees what is not committed."""

    def begin(self, owner):
        super().begin(owner)
        return self.committed()


class ReapsTooEarly(MemoryStore):
    """Whoever has not been renewed this very second is dead."""

    def reap(self):
        with self._turn:
            dead = list(self._ends)
            self._bury(dead)
        return len(dead)


class IgnoresWhoIsLate(MemoryStore):
    """A session cannot be renewed after its time, though nobody found it dead."""

    def renew(self, owner, lease_seconds):
        if self._ends[owner] > self._clock():
            super().renew(owner, lease_seconds)


class NeverReaps(MemoryStore):
    """Nobody is ever found dead."""

    def reap(self):
        return 0


class KeepsLeasesOfTheClosed(MemoryStore):
    """A closed session keeps its hosts."""

    def end(self, owner):
        self.rollback(owner)


class FreesEverybody(MemoryStore):
    """When one session ends, the hosts of all are free."""

    def end(self, owner):
        super().end(owner)
        tables = self._committed.copy()
        tables.free(lambda _: True, self._clock())
        self._committed = tables


class TrustsWhoWroteBefore(MemoryStore):
    """A second session of an exclusive store finds nobody dead."""

    def __init__(self, clock):
        super().__init__(clock, is_shared=False)

    def _bury(self, dead):
        pass


BROKEN = [
    (with_parts(frontier=LeasesTwice), testing.FrontierSuite, "leased_host_is_nobody_elses"),
    (with_parts(frontier=LeasesTwice), testing.SharedStoreSuite, "two_sessions_never_get_one"),
    (with_parts(frontier=HandsOutTwice), testing.FrontierSuite, "waits_and_is_leased_once"),
    (with_parts(frontier=ForgetsRest), testing.FrontierSuite, "leased_host_is_nobody_elses"),
    (with_parts(frontier=ForgetsRest), testing.SharedStoreSuite, "released_host_rests"),
    (with_parts(frontier=RetriesAtOnce), testing.FrontierSuite, "tried_again_waits_for_its_time"),
    (
        with_parts(frontier=RetriesAtOnceWhatCostNothing),
        testing.FrontierSuite,
        "costs_nothing_is_repeated_at_its_time",
    ),
    (with_parts(frontier=ServesEverybody), testing.SharedStoreSuite, "out_of_reach"),
    (with_parts(frontier=HoldsBackNewUrls), testing.FrontierSuite, "does_not_hold_back_others"),
    (with_parts(frontier=KeepsDepth), testing.FrontierSuite, "shortest_way_known"),
    (with_parts(frontier=CountsNearestOnly), testing.FrontierSuite, "wanted_if_one_link"),
    (with_parts(catalogue=LosesChange), testing.ChangesSuite, "beside_a_writer_misses_nothing"),
    (with_parts(catalogue=StoresTwice), testing.ChangesSuite, "stored_twice_is_one_change"),
    (with_parts(catalogue=StoresTwice), testing.CatalogueSuite, "takes_the_place_of_the_old"),
    (with_parts(catalogue=ForgetsLimits), testing.CatalogueSuite, "limits_belong_to"),
    (with_parts(catalogue=RenewsTheTime), testing.CatalogueSuite, "extracted_again_keeps"),
    (with_parts(near=FindsItself), testing.NearDuplicatesSuite, "page_itself_are_not_found"),
    (with_parts(sitemaps=TakesAllSitemaps), testing.SitemapsSuite, "is_not_added_again"),
    (with_parts(strategy_state=KeepsState), testing.StrategyStateSuite, "starting_over_forgets"),
    (with_parts(archive=ReadsAnotherPage), testing.ArchiveSuite, "appended_is_read_back"),
    (with_parts(archive=LosesBodies), testing.ArchiveSuite, "small_warc_file"),
    (with_parts(archive=CutsTooMuch), testing.ArchiveSuite, "before_a_mark_is_not_cut"),
    (with_changes(CursorSkips), testing.ChangesSuite, "goes_on_from_any_cursor"),
    (with_changes(LosesLast), testing.ChangesSuite, "goes_on_from_any_cursor"),
    (with_changes(ReadsOn), testing.ChangesSuite, "may_stop_at_the_end_of_before"),
    (with_changes(CountsChanges), testing.ChangesSuite, "has_not_seen_are_counted"),
    (with_changes(StaysBehindTheEnd), testing.ChangesSuite, "behind_the_end_misses_nothing"),
    (KeepsAfterRollback, testing.SharedStoreSuite, "rollback_undoes_everything"),
    (KeepsAfterRollback, testing.ChangesSuite, "sees_what_is_not_committed"),
    (LetsTheDeadWrite, testing.SharedStoreSuite, "found_dead_cannot_commit"),
    (WritesInPlace, testing.SharedStoreSuite, "another_has_not_committed"),
    (ReapsTooEarly, testing.SharedStoreSuite, "lives_as_long_as_its_lease"),
    (IgnoresWhoIsLate, testing.SharedStoreSuite, "renewed_also_after_its_time"),
    (NeverReaps, testing.SharedStoreSuite, "found_dead_once"),
    (KeepsLeasesOfTheClosed, testing.SharedStoreSuite, "closed_session_had_leased"),
    (FreesEverybody, testing.SharedStoreSuite, "leaves_the_hosts_of_its_heir_alone"),
    (TrustsWhoWroteBefore, testing.ExclusiveStoreSuite, "killed_session_had_leased"),
]


def assert_fails(case, test):
    """Fail unless a suite finds what is wrong, in the test whose name has these words."""
    failures = testing.failures_of(case)
    (name,) = (name for name in dir(case) if test in name)
    assert name in failures, sorted(failures)
    # It is the suite that complains; the copy itself works.
    assert isinstance(failures[name], (AssertionError, ValueError, pytest.fail.Exception))


@pytest.mark.parametrize(("kind", "suite", "test"), BROKEN)
def test_a_broken_copy_fails_the_suite(kind, suite, test):
    class Case(suite):
        def make_store(self, clock):
            return kind(clock)

    assert_fails(Case, test)


def test_what_is_not_broken_fails_nothing():
    class Case(testing.SharedStoreSuite):
        def make_store(self, clock):
            return MemoryStore(clock)

    assert testing.failures_of(Case) == {}
