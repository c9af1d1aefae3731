"""What a reader must return about URLs: counts, histories, and why a host is parked."""

from telusur.crawl.frontier_records import NewUrl
from telusur.crawl.hosts.holds import HOLDS, Hold, moment, pack_holds
from telusur.crawl.urls.link_record import pack_links
from telusur.models import Counts, Event, Link, Page, State, url_id_of
from telusur.store.records import StoredRobots, StoredSheet
from telusur.store.session import Session
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import (
    NOBODY,
    FilledStore,
    found_url,
    id_of,
    put_document,
    url_of,
)


class UrlReadingTests(StoreCase):
    """Counts, keys, stories and hosts."""

    def test_an_empty_store_tells_of_nothing(self) -> None:
        reader = self.open_store().reader()
        assert reader.counts() == Counts()
        assert reader.known_id(["http://a.example/"]) is None
        assert reader.story(id_of(NOBODY)) is None
        assert (list(reader.urls()), list(reader.pages()), list(reader.columns(()))) == ([], [], [])
        assert (reader.sites(9), reader.site_order(), reader.marks()) == ([], (), [])
        reader.close()

    def test_nobody_reads_what_is_not_committed(self) -> None:
        filled = FilledStore(self)
        reader = filled.store.reader()
        session = filled.session
        session.begin()
        _write_a_page(session)
        assert reader.counts() == Counts()
        assert reader.document(id_of("a.example/1")) is None
        assert list(reader.urls()) == []
        assert reader.links(id_of("a.example/1")) == []
        session.rollback()
        assert reader.counts() == Counts()
        filled.write(_write_a_page)
        assert (reader.counts().waiting, reader.counts().documents) == (1, 1)
        assert reader.document(id_of("a.example/1")) is not None
        reader.close()

    def test_urls_are_counted_by_state(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/waits", "a.example/again")
        filled.find("a.example/robots", skip_reason="robots: Disallow: /")
        filled.fetch("a.example/again", status=503, state=State.WAITING, reason="http 503")
        filled.fetch("a.example/1")
        filled.fetch("a.example/2")
        filled.fetch("a.example/gone", status=404, state=State.FAILED, reason="http 404")
        filled.fetch("a.example/silent", status=None, state=State.FAILED, reason="timeout")
        filled.put_document("a.example/1")
        filled.put_document("a.example/2", not_indexed="noindex")
        filled.put_document("added.example/")
        counts = Counts(waiting=2, done=2, failed=2, skipped=1, pages=3, documents=2)
        assert filled.store.reader().counts() == counts
        assert counts.found == 7

    def test_a_leased_url_is_counted_as_such(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2")
        filled.write(lambda session: session.frontier.lease(1, 1))
        counts = filled.store.reader().counts()
        assert (counts.leased, counts.waiting) == (1, 1)

    def test_a_sitemap_is_no_page(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1")
        filled.fetch("a.example/sitemap.xml", content_type="text/xml")
        filled.write(lambda session: session.sitemaps.end(id_of("a.example/sitemap.xml"), 1, 5))
        reader = filled.store.reader()
        assert (reader.counts().pages, reader.counts().done) == (1, 2)
        assert [row["url"] for row in reader.pages()] == ["http://a.example/1"]

    def test_a_page_that_is_fetched_again_counts_again(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1")
        filled.fetch("a.example/1", fetched_at=200.0)
        counts = filled.store.reader().counts()
        assert (counts.pages, counts.done) == (2, 1)

    def test_urls_come_in_the_order_they_were_found(self) -> None:
        filled = FilledStore(self)
        filled.find("b.example/1", "a.example/2")
        filled.find("a.example/1", skip_reason="scope: other site")
        filled.fetch("a.example/2")
        assert list(filled.store.reader().urls()) == [
            {"url": "http://b.example/1", "state": "waiting", "reason": ""},
            {"url": "http://a.example/2", "state": "done", "reason": ""},
            {"url": "http://a.example/1", "state": "skipped", "reason": "scope: other site"},
        ]

    # Keys

    def test_a_page_is_known_that_was_found_or_added(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1")
        filled.put_document("added.example/")
        reader = filled.store.reader()
        assert reader.known_id(["http://a.example/1"]) == id_of("a.example/1")
        assert reader.known_id(["http://added.example/"]) == id_of("added.example/")
        keys = ["https://a.example/1", "http://a.example/1", "http://added.example/"]
        assert reader.known_id(keys) == id_of("a.example/1")
        assert reader.known_id(["https://a.example/1"]) is None
        assert reader.known_id([]) is None

    def test_a_page_is_known_by_a_key_of_an_earlier_rule(self) -> None:
        filled = FilledStore(self)
        directory = url_id_of("http://a.example/x/")
        old = NewUrl(directory, "http://a.example/x/default.php", "http://a.example", "a", 1)
        filled.write(lambda session: session.frontier.add([old, found_url("a.example/y/")]))
        reader = filled.store.reader()
        assert reader.known_id(["http://a.example/x/default.php"]) == directory
        assert reader.known_id(["http://a.example/y/default.php"]) is None

    # Stories

    def test_the_story_of_a_page_that_was_fetched(self) -> None:
        filled = FilledStore(self)
        found_at = self.clock.now
        filled.find("a.example/", depth=0)
        self.clock.now += 60.0
        filled.fetch("a.example/", fetched_at=50.0, operations={"extract": 0.5})
        filled.put_document("a.example/", title="Owls")
        story = filled.store.reader().story(id_of("a.example/"))
        assert story is not None
        assert (story.url, story.state, story.reason) == ("http://a.example/", State.DONE, "")
        assert (story.depth, story.parent, story.anchor) == (0, None, "")
        assert (story.indexed, story.title, story.changed_at) == (True, "Owls", self.clock.now)
        assert story.operations == {"fetch": 0.25, "extract": 0.5}
        assert story.events == (
            Event(found_at, State.WAITING, "start URL"),
            Event(50.0, State.DONE, "", 200),
        )

    def test_a_story_tells_where_a_url_was_found(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/", depth=0)
        parent = id_of("a.example/")
        filled.find("a.example/1", parent=parent, anchor="On owls")
        filled.find("a.example/2", parent=parent)
        filled.find("a.example/3", anchor="robots.txt")
        filled.find("a.example/4", parent=id_of(NOBODY))
        reader = filled.store.reader()
        stories = [reader.story(id_of(f"a.example/{number}")) for number in (1, 2, 3, 4)]
        assert [story and story.events[0].reason for story in stories] == [
            'found on http://a.example/ by the link "On owls"',
            "found on http://a.example/",
            "named by robots.txt",
            "start URL",
        ]
        assert [story and story.parent for story in stories] == ["http://a.example/"] * 2 + [
            None
        ] * 2

    def test_a_story_tells_of_every_try(self) -> None:
        filled = FilledStore(self)
        again = {"status": 503, "state": State.WAITING, "reason": "http 503"}
        filled.fetch("a.example/1", fetched_at=10.0, **again)
        filled.fetch(
            "a.example/1", fetched_at=20.0, status=None, state=State.FAILED, reason="timeout"
        )
        story = filled.store.reader().story(id_of("a.example/1"))
        assert story is not None
        assert (story.state, story.reason, story.indexed) == (State.FAILED, "timeout", False)
        assert story.events[1:] == (
            Event(10.0, State.WAITING, "http 503", 503),
            Event(20.0, State.FAILED, "timeout", None),
        )

    def test_a_story_ends_with_the_reason_of_what_was_never_fetched(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", skip_reason="robots: Disallow: /1")
        filled.find("a.example/2")
        reader = filled.store.reader()
        skipped, waiting = reader.story(id_of("a.example/1")), reader.story(id_of("a.example/2"))
        assert skipped is not None
        assert waiting is not None
        assert skipped.events[1:] == (Event(self.clock.now, State.SKIPPED, "robots: Disallow: /1"),)
        assert (len(waiting.events), waiting.operations) == (1, {})

    def test_what_no_crawl_found_has_no_story(self) -> None:
        filled = FilledStore(self)
        filled.put_document("added.example/")
        reader = filled.store.reader()
        assert reader.story(id_of("added.example/")) is None

    # Hosts

    def test_the_robots_file_of_a_host_is_read(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "b.example/1")
        filled.write(lambda s: s.catalogue.put_robots("http://a.example", b"Allow: /", 200, 7.0))
        reader = filled.store.reader()
        assert reader.robots("http://a.example") == StoredRobots(b"Allow: /", 200, 7.0)
        assert reader.robots("http://b.example") is None
        assert reader.robots("http://nobody.example") is None

    def test_the_response_of_a_style_sheet_is_read(self) -> None:
        filled = FilledStore(self)
        page = Page(
            "http://a.example/x.css", status=200, body=b".a{}", status_line="HTTP/1.1 200 OK"
        )

        def put(session: Session) -> None:
            key = session.archive.append(page)
            session.catalogue.put_style_sheet(page.url, key)
            session.catalogue.put_style_sheet("http://a.example/gone.css", None)

        filled.write(put)
        reader = filled.store.reader()
        found = reader.style_sheet(page.url)
        assert found is not None
        assert found.page is not None
        assert (found.page.status, found.page.body) == (200, b".a{}")
        assert reader.style_sheet("http://a.example/gone.css") == StoredSheet(None)
        assert reader.style_sheet("http://a.example/never.css") is None

    def test_a_host_that_may_be_asked_is_not_left_alone(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1")
        reader = filled.store.reader()
        assert reader.why_parked("http://a.example") == ""
        assert reader.why_parked("http://nobody.example") == ""

    def test_a_host_that_rests_is_left_alone_until_then(self) -> None:
        filled = FilledStore(self)
        until = self.clock.now + 600.0
        self._let_rest(filled, "a.example/1", 600.0)
        reader = filled.store.reader()
        told = f"the host is paused until {moment(until)}"
        assert reader.why_parked("http://a.example") == told
        self.clock.now = until + 1.0
        assert reader.why_parked("http://a.example") == ""

    def test_why_a_host_is_left_alone(self) -> None:
        filled = FilledStore(self)
        until = self.clock.now + 600.0
        self._let_rest(filled, "a.example/1", 600.0)
        self._let_rest(filled, "b.example/1", 600.0)
        holds = [
            Hold("http://a.example", until, "it asked for it"),
            Hold("http://b.example", None, "it failed ten times"),
        ]
        filled.write(lambda session: session.catalogue.put_fact(HOLDS, pack_holds(holds)))
        reader = filled.store.reader()
        told = f"the host is paused until {moment(until)}: it asked for it"
        assert reader.why_parked("http://a.example") == told
        told = "no more requests were sent to the host: it failed ten times"
        assert reader.why_parked("http://b.example") == told

    def test_a_host_is_left_alone_outside_of_its_hours(self) -> None:
        filled = FilledStore(self)
        self._let_rest(filled, "a.example/1", 600.0)
        minutes = int(self.clock.now // 60) % 1440
        hours = "-".join(f"{at // 60 % 24:02}{at % 60:02}" for at in (minutes + 60, minutes + 120))
        robots = f"User-agent: *\nVisit-time: {hours}".encode()
        filled.write(lambda s: s.catalogue.put_robots("http://a.example", robots, 200, 7.0))
        told = filled.store.reader().why_parked("http://a.example")
        assert told.endswith(f", robots.txt says Visit-time: {hours}")

    def _let_rest(self, filled: FilledStore, path: str, seconds: float) -> None:
        filled.find(path)
        host = url_of(path.split("/", maxsplit=1)[0])

        def rest(session: Session) -> None:
            session.frontier.lease(9, 9)
            session.frontier.release(host, seconds)

        filled.write(rest)


def _write_a_page(session: Session) -> None:
    session.frontier.add([found_url("a.example/1")])
    put_document(session, "a.example/1")
    session.catalogue.put_links(
        id_of("a.example/1"), id_of(NOBODY), pack_links([Link("http://x/")])
    )
