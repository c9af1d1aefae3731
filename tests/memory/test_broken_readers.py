"""The suites of readers find what is wrong with copies of the memory store that are broken."""

import time
from dataclasses import replace

import numpy as np
import pytest

from telusur import testing
from telusur.graph.pages import NOWHERE
from telusur.memory import MemoryStore
from telusur.memory.reading.crawls import MemoryCrawls
from telusur.memory.reading.reader import MemoryReader
from telusur.memory.reading.site import MemorySite
from telusur.memory.reading.web import MemoryWeb
from tests.memory.test_broken_copies import assert_fails


class ShowsTheUncommitted(MemoryStore):
    """A reader sees what a session has written and not committed."""

    def session(self, *arguments, **more):
        self.last_session = super().session(*arguments, **more)
        return self.last_session

    def reader(self):
        return MemoryReader(self.last_session._space.read, self.stripes, self._clock)

    def web(self):
        return MemoryWeb(self.last_session._space.read)


class ReadsOnce(MemoryStore):
    """A reader stays with what was committed when it was opened."""

    def reader(self):
        tables = self.committed()
        return MemoryReader(lambda: tables, self.stripes, self._clock)


class CountsEveryTry(MemoryReader):
    """A try that failed counts as a page."""

    def counts(self):
        counts = super().counts()
        return replace(counts, pages=self._committed().fetched)


class KnowsNoOthers(MemoryReader):
    """A document that did not come from a crawl is not known by its key."""

    def known_id(self, keys):
        found = super().known_id(keys)
        return found if found in self._committed().urls else None


class ForgetsTries(MemoryReader):
    """A story tells of the last try alone."""

    def story(self, url_id):
        story = super().story(url_id)
        return story and replace(story, events=(story.events[0], *story.events[1:][-1:]))


class GivesItsOwn(MemoryReader):
    """Whoever reads a document may change it for all others."""

    def document(self, url_id):
        stored = self._committed().documents.get(url_id)
        return None if stored is None else stored.document


class ParksByTheWallClock(MemoryReader):
    """Whether a host is still parked is judged by the clock of this machine."""

    def __init__(self, committed, stripes, clock):
        super().__init__(committed, stripes, time.time)


class LinksToItself(MemoryReader):
    """A page that links to itself is among those that link to it."""

    def links_to(self, url_id, page, limit, *place, **more):
        links = super().links_to(url_id, page, limit, *place, **more)
        return replace(links, total=links.total + 1)


class CountsUnknownSources(MemoryReader):
    """A page that no crawl found counts among those that link to a page."""

    def links_to(self, url_id, page, limit, *place, **more):
        links = super().links_to(url_id, page, limit, *place, **more)
        tables = self._committed()
        unknown = [one for one in tables.links if one not in tables.urls and one != url_id]
        return replace(links, total=links.total + len(unknown))


class CursorSkipsLinks(MemoryReader):
    """The cursor of incoming links stands behind the next page."""

    def links_to(self, url_id, page, limit, *place, **more):
        links = super().links_to(url_id, page, limit, *place, **more)
        further = links.after and f"{int(links.after, 16) + 1:032x}"
        return replace(links, after=further)


class GivesLinksTwice(MemoryReader):
    """The cursor of incoming links stands at the last page that was given."""

    def links_to(self, url_id, page, limit, after="", most=10_000):
        links = super().links_to(url_id, page, limit, after, most)
        last = super().links_to(url_id, page, limit, after, max(1, most - 1))
        return replace(links, after=links.after and last.after)


class TakesAnyCursor(MemoryReader):
    """What is no cursor is the beginning."""

    def links_to(self, url_id, page, limit, after="", most=10_000):
        return super().links_to(url_id, page, limit, after if len(after) == 32 else "", most)


class SaysAllIsSearched(MemoryReader):
    """A part of the list is said to be whole."""

    def links_to(self, url_id, page, limit, *place, **more):
        return replace(super().links_to(url_id, page, limit, *place, **more), after=None)


class SkipsLinks(MemoryReader):
    """The first link of every part is left out."""

    def links_from(self, url_id, page, limit):
        links = super().links_from(url_id, page, limit)
        return replace(links, links=links.links[1:])


class ReadsTheOldest(MemoryReader):
    """The first answer is read, whatever came later."""

    def _key_of(self, url_id):
        fetches = self._committed().fetches.get(url_id, ())
        return next((one.key for one in fetches if one.key is not None), None)


class TellsSecrets(MemoryCrawls):
    """Settings are shown with passwords and cookies."""

    def runs(self):
        return list(self._committed().crawls)


class SkipsUrls(MemoryCrawls):
    """A list goes on one URL too late."""

    def list_urls(self, state, reason, after, limit):
        return super().list_urls(state, reason, str(int(after) + 2) if after else after, limit)


class KeepsTallies(MemoryCrawls):
    """Tallies stay as they were when they were first asked for."""

    def tallies(self, limit):
        self.kept = getattr(self, "kept", None) or super().tallies(limit)
        return self.kept


class AsksTheWallClock(MemoryCrawls):
    """Whether a host is still parked is judged by the clock of this machine."""

    def __init__(self, committed, clock):
        super().__init__(committed, time.time)


class CountsSkippedSites(MemoryCrawls):
    """A site counts of which nothing will ever be fetched."""

    def tallies(self, limit):
        tallies = super().tallies(limit)
        return replace(tallies, site_count=len(self._committed().taken))


class MixesSites(MemorySite):
    """Every site has the documents of all."""

    def __init__(self, committed, name):
        super().__init__(committed, name)
        self._name = ""


class CountsWhatItShows(MemorySite):
    """The total is that of the rows that are shown."""

    def failed(self, limit):
        _, rows = super().failed(limit)
        return len(rows), rows

    def copies(self, limit):
        _, rows = super().copies(limit)
        return len(rows), rows


class CountsTheSilent(MemorySite):
    """A URL that gave no answer counts as fetched."""

    def _is_fetched(self, url):
        return url.url_id in self._tables.fetches


class ForgetsCopies(MemoryWeb):
    """A link to a copy leads nowhere."""

    def pages(self):
        pages = yield from super().pages()
        none = np.zeros(0, np.uint64)
        return replace(pages, aliases=(none, none))


class LinksTwice(MemoryWeb):
    """A page that names another twice links to it twice."""

    def edges(self, pages):
        for piece in super().edges(pages):
            yield piece
            yield piece


class CountsCopies(MemoryWeb):
    """A link that copies share comes once for each of them."""

    def edges(self, pages):
        for records in self.link_records(pages):
            for source, targets, _ in records:
                to = np.unique(targets[(targets != NOWHERE) & (targets != source)])
                yield np.full(len(to), source, np.uint32), to


class MovesRecords(MemoryWeb):
    """Links to pages that are not known have no place, and the others move up."""

    def link_records(self, pages):
        for piece in super().link_records(pages):
            yield [(place, to[to != NOWHERE], record) for place, to, record in piece]


def with_reader(kind):
    class Broken(MemoryStore):
        def reader(self):
            return kind(self.committed, self.stripes, self._clock)

    return Broken


def with_crawls(kind):
    class Broken(MemoryStore):
        def crawls(self):
            return kind(self.committed, self._clock)

    return Broken


def with_site(kind):
    class Broken(MemoryStore):
        def site(self, name=""):
            return kind(self.committed, name)

    return Broken


def with_web(kind):
    class Broken(MemoryStore):
        def web(self):
            return kind(self.committed)

    return Broken


BROKEN = [
    (ShowsTheUncommitted, testing.ReaderSuite, "reads_what_is_not_committed"),
    (ReadsOnce, testing.ReaderSuite, "reads_what_is_not_committed"),
    (with_reader(ParksByTheWallClock), testing.ReaderSuite, "rests_is_left_alone_until_then"),
    (with_reader(CountsEveryTry), testing.ReaderSuite, "urls_are_counted_by_state"),
    (with_reader(KnowsNoOthers), testing.ReaderSuite, "known_that_was_found_or_added"),
    (with_reader(ForgetsTries), testing.ReaderSuite, "tells_of_every_try"),
    (with_reader(GivesItsOwn), testing.ReaderSuite, "belongs_to_whoever_reads_it"),
    (with_reader(LinksToItself), testing.ReaderSuite, "who_links_to_a_page"),
    (with_reader(CountsUnknownSources), testing.ReaderSuite, "no_crawl_found_are_not_among"),
    (with_reader(CursorSkipsLinks), testing.ReaderSuite, "over_the_pages_of_a_cursor"),
    (with_reader(CursorSkipsLinks), testing.ReaderSuite, "links_behind_a_cursor"),
    (with_reader(GivesLinksTwice), testing.ReaderSuite, "over_the_pages_of_a_cursor"),
    (with_reader(TakesAnyCursor), testing.ReaderSuite, "cursor_of_links_that_somebody"),
    (with_reader(SaysAllIsSearched), testing.ReaderSuite, "over_the_pages_of_a_cursor"),
    (with_reader(SkipsLinks), testing.ReaderSuite, "links_from_a_page_by_parts"),
    (with_reader(ReadsTheOldest), testing.ReaderSuite, "newest_answer_is_read"),
    (with_crawls(TellsSecrets), testing.CrawlReaderSuite, "tells_its_credentials"),
    (with_crawls(SkipsUrls), testing.CrawlReaderSuite, "goes_on_where_it_ended"),
    (with_crawls(KeepsTallies), testing.CrawlReaderSuite, "exact_once_a_crawl_has_begun"),
    (with_crawls(AsksTheWallClock), testing.CrawlReaderSuite, "by_the_clock_of_the_store"),
    (with_crawls(CountsSkippedSites), testing.CrawlReaderSuite, "the_largest_sites"),
    (with_site(MixesSites), testing.SiteReaderSuite, "documents_are_counted"),
    (with_site(CountsWhatItShows), testing.SiteReaderSuite, "failed_urls_and_where"),
    (with_site(CountsWhatItShows), testing.SiteReaderSuite, "that_repeat_another_one"),
    (with_site(CountsTheSilent), testing.SiteReaderSuite, "name_and_nobody_fetched"),
    (ShowsTheUncommitted, testing.WholeWebSuite, "nothing_that_is_not_committed"),
    (with_web(ForgetsCopies), testing.WholeWebSuite, "place_of_its_original"),
    (with_web(LinksTwice), testing.WholeWebSuite, "links_between_documents"),
    (with_web(CountsCopies), testing.WholeWebSuite, "copies_share_comes_once"),
    (with_web(MovesRecords), testing.WholeWebSuite, "a_place_for_every_link"),
]


@pytest.mark.parametrize(("kind", "suite", "test"), BROKEN)
def test_a_broken_reader_fails_the_suite(kind, suite, test):
    class Case(suite):
        def make_store(self, clock):
            return kind(clock)

    assert_fails(Case, test)
