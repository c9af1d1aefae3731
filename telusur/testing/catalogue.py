"""What every catalogue must do: `CatalogueSuite`."""

from telusur.crawl.frontier_records import Verdict
from telusur.models import Document, MarkedPage, Page, State, url_id_of
from telusur.store.records import StoredRobots, Twin
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, changes_of, new_url, put_document


class CatalogueSuite(StoreCase):
    """Documents, links, robots files, facts, crawls and fetches."""

    # Documents

    def test_a_twin_is_another_document_with_the_same_digest(self) -> None:
        session = self.begin()
        original = url_id_of("a/original")
        first = put_document(session, "a/1", digest=b"same", canonical=original)
        second = put_document(session, "a/2", digest=b"other")
        twin_of = session.catalogue.twin_of
        assert twin_of(second, b"same") == Twin(first, "http://a/1", original)
        assert twin_of(first, b"same") is None
        assert twin_of(first, b"nobody's") is None

    def test_a_document_that_is_not_in_the_index_is_no_twin(self) -> None:
        session = self.begin()
        put_document(session, "a/1", digest=b"same", not_indexed="noindex")
        taken_out = put_document(session, "a/2", digest=b"same")
        session.catalogue.take_out_of_index(taken_out, "duplicate: x")
        assert session.catalogue.twin_of(url_id_of("a/3"), b"same") is None

    def test_a_new_document_takes_the_place_of_the_old_one(self) -> None:
        session = self.begin()
        put_document(session, "a/1", digest=b"old")
        put_document(session, "a/1", digest=b"new")
        twin_of = session.catalogue.twin_of
        assert twin_of(url_id_of("a/2"), b"old") is None
        assert twin_of(url_id_of("a/2"), b"new") == Twin(url_id_of("a/1"), "http://a/1", None)

    def test_without_a_topic_score_the_earlier_one_is_kept(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        put_document(session, "a/1", topic_score=0.8, topic="owls")
        put_document(session, "a/1", title="Later")
        put_document(session, "a/2", topic_score=0.8, topic="owls")
        put_document(session, "a/2", topic_score=0.1, topic="")
        session.commit()
        topics = {one.document.url[7:]: one.document.topic for one in changes_of(store)}
        assert topics == {"a/1": "owls", "a/2": ""}

    def test_a_document_that_is_extracted_again_keeps_where_it_is_from(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        original = url_id_of("a/original")
        url_id = put_document(session, "a/1", canonical=original, topic_score=0.8, topic="owls")
        hidden = put_document(session, "a/2", not_indexed="noindex")
        session.commit()
        changes = store.changes()
        end = changes.end()
        session.begin()
        renew = session.catalogue.renew_document
        told = Document("http://a/1", "Later", text="New words", fields={"price": 3})
        renew(url_id, told, b"new digest")
        renew(hidden, Document("http://a/2", "Hidden"), b"another")
        twin = session.catalogue.twin_of(hidden, b"new digest")
        assert twin == Twin(url_id, "http://a/1", original)
        assert session.catalogue.twin_of(hidden, url_id) is None
        session.commit()
        first, second = [change for change, _ in changes.after(end, 9)]
        assert (first.url_id, first.site, first.fetched_at) == (url_id, "a", 5.0)
        assert (first.document.title, first.document.text) == ("Later", "New words")
        assert (first.document.topic, first.not_indexed) == ("owls", "")
        assert (second.document.title, second.not_indexed) == ("Hidden", "noindex")
        document = store.reader().document(url_id)
        assert document is not None
        assert (document.fields, document.topic_score) == ({"price": 3}, 0.8)
        changes.close()

    def test_taking_out_what_is_no_document_changes_nothing(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        put_document(session, "a/1")
        session.catalogue.take_out_of_index(url_id_of("a/nobody"), "duplicate: x")
        session.commit()
        assert [one.not_indexed for one in changes_of(store)] == [""]

    def test_a_copy_gives_way_to_the_original_that_it_names(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        original = put_document(session, "a/original")
        put_document(session, "a/copy", canonical=original)
        put_document(session, "a/missing", canonical=url_id_of("a/never fetched"))
        assert session.catalogue.settle_canonicals() == 1
        assert session.catalogue.settle_canonicals() == 0
        session.commit()
        reasons = {one.document.title: one.not_indexed for one in changes_of(store)}
        copy = "canonical elsewhere: http://a/original"
        assert reasons == {"a/original": "", "a/copy": copy, "a/missing": ""}

    def test_an_original_counts_only_if_it_stands_by_itself(self) -> None:
        session = self.begin()
        hidden = put_document(session, "a/hidden", not_indexed="noindex")
        put_document(session, "a/1", canonical=hidden)
        put_document(session, "a/2", canonical=url_id_of("a/3"))
        put_document(session, "a/3", canonical=url_id_of("a/2"))
        assert session.catalogue.settle_canonicals() == 0

    def test_taking_out_a_document_where_there_are_none(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        session.catalogue.take_out_of_index(url_id_of("a/nobody"), "duplicate: x")
        session.commit()
        assert changes_of(store) == []

    # URLs and marks

    def test_the_depth_of_a_url(self) -> None:
        session = self.begin()
        session.frontier.add([new_url("a/1", 4), new_url("a/2", 0)])
        session.frontier.add([new_url("a/1", 2)])
        put_document(session, "a/added")
        depth_of = session.catalogue.depth_of
        assert (depth_of(url_id_of("a/1")), depth_of(url_id_of("a/2"))) == (2, 0)
        assert (depth_of(url_id_of("a/added")), depth_of(url_id_of("a/nobody"))) == (None, None)

    def test_marks_are_written_with_everything_else(self) -> None:
        store = self.open_store()
        session = store.session()
        good, bad = (MarkedPage(f"http://a/{n}", is_good=not n, marked_at=float(n)) for n in (0, 1))
        session.begin()
        session.catalogue.put_mark(url_id_of("a/0"), good)
        session.commit()
        session.begin()
        session.catalogue.put_mark(url_id_of("a/1"), bad)
        session.catalogue.forget_mark(url_id_of("a/0"))
        session.rollback()
        assert store.reader().list_marks() == [good]

    # Links, robots files, facts

    def test_links_are_those_that_were_stored_last(self) -> None:
        session = self.begin()
        page, targets = url_id_of("a/1"), [url_id_of(name) for name in "bcd"]
        assert session.catalogue.targets_of(page) == []
        session.catalogue.put_links(page, targets[0], b"packed")
        session.catalogue.put_links(page, b"".join(targets), b"packed again")
        assert session.catalogue.targets_of(page) == targets

    def test_the_robots_file_of_a_host(self) -> None:
        session = self.begin()
        catalogue = session.catalogue
        session.frontier.add([new_url("a/1"), new_url("b/1"), new_url("c/1")])
        catalogue.put_robots("http://a", b"User-agent: *", 200, 7.0)
        catalogue.put_robots("http://a", b"Disallow:", 200, 8.0)
        catalogue.put_robots("http://b", b"", None, 9.0)
        session.frontier.lease(9, 9)
        assert catalogue.robots_of("http://a") == StoredRobots(b"Disallow:", 200, 8.0)
        assert catalogue.robots_of("http://b") == StoredRobots(b"", None, 9.0)
        assert catalogue.robots_of("http://c") is None
        assert catalogue.robots_of("http://nobody") is None

    def test_facts(self) -> None:
        catalogue = self.begin().catalogue
        assert catalogue.fact("traps") is None
        catalogue.put_fact("traps", b"\x00old")
        catalogue.put_fact("traps", b"\x00new")
        catalogue.put_fact("holds", b"")
        assert (catalogue.fact("traps"), catalogue.fact("holds")) == (b"\x00new", b"")

    def test_what_was_learned_about_a_site(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        assert session.catalogue.site_record("a") is None
        session.catalogue.put_site_record("a", b"\x00old")
        session.catalogue.put_site_record("a", b"\x00new")
        session.catalogue.put_site_record("b", b"")
        assert session.catalogue.site_record("a") == b"\x00new"
        session.commit()
        session.begin()
        session.catalogue.put_site_record("a", b"lost")
        session.rollback()
        reader = store.reader()
        found = [reader.site_record(site) for site in ("a", "b", "nobody")]
        assert found == [b"\x00new", b"", None]
        reader.close()

    # Crawls

    def test_the_last_crawl(self) -> None:
        catalogue = self.begin().catalogue
        assert catalogue.last_crawl() is None
        began = self.clock.now
        first = catalogue.begin_crawl({"pages": 5}, ["http://a/", "http://b/"], has_topic=False)
        self.clock.now += 60.0
        crawl = catalogue.last_crawl()
        assert crawl is not None
        assert (crawl.started_at, crawl.ended_at, crawl.settings) == (began, None, {"pages": 5})
        assert crawl.start_urls == ("http://a/", "http://b/")
        catalogue.put_limits({"depth": 2})
        catalogue.end_crawl(first, "done")
        crawl = catalogue.last_crawl()
        assert crawl is not None
        assert (crawl.ended_at, crawl.outcome) == (began + 60.0, "done")
        assert crawl.settings == {"pages": 5, "depth": 2}

    def test_limits_belong_to_the_crawl_that_was_begun_last(self) -> None:
        catalogue = self.begin().catalogue
        first = catalogue.begin_crawl({"pages": 1}, ["http://a/"], has_topic=False)
        second = catalogue.begin_crawl({"pages": 2}, ["http://b/"], has_topic=True)
        assert first != second
        catalogue.put_limits({"pages": 3})
        catalogue.end_crawl(first, "killed")
        crawl = catalogue.last_crawl()
        assert crawl is not None
        assert (crawl.settings, crawl.start_urls) == ({"pages": 3}, ("http://b/",))
        assert crawl.ended_at is None

    # Fetches

    def test_urls_are_answered_when_there_was_an_answer_and_they_have_ended(self) -> None:
        session = self.begin()
        ends = {
            "a/done": (State.DONE, 200), "a/gone": (State.FAILED, 404),
            "a/image": (State.SKIPPED, 200), "a/again": (State.WAITING, 503),
            "a/silent": (State.FAILED, None),
        }  # fmt: skip
        session.frontier.add([new_url(path) for path in [*ends, "a/never"]])
        session.frontier.lease(9, 5)
        for path, (state, status) in ends.items():
            _fetch(session, path, status, is_final=state is not State.WAITING)
            session.frontier.settle([Verdict(url_id_of(path), state)])
        answered = sorted(url[7:] for url in session.catalogue.answered_urls())
        assert answered == ["a/done", "a/gone", "a/image"]

    def test_a_url_that_was_fetched_twice_is_answered_once(self) -> None:
        session = self.begin()
        session.frontier.add([new_url("a/1")])
        session.frontier.lease(1, 1)
        _fetch(session, "a/1", 503, is_final=False)
        _fetch(session, "a/1", 200, is_final=True)
        session.frontier.settle([Verdict(url_id_of("a/1"), State.DONE)])
        assert list(session.catalogue.answered_urls()) == ["http://a/1"]

    def test_what_was_skipped_for_its_answer_is_not_admitted_again(self) -> None:
        session = self.begin()
        session.frontier.add([new_url("a/1"), new_url("a/2", skip_reason="trap: x")])
        session.frontier.lease(1, 1)
        _fetch(session, "a/1", 200, is_final=True)
        session.frontier.settle([Verdict(url_id_of("a/1"), State.SKIPPED, "trap: x")])
        session.frontier.release("http://a", 0.0)
        assert session.frontier.admit_again(("trap",), lambda _url, _depth: None, float) == 1
        (lease,) = session.frontier.lease(9, 9)
        assert [leased.url for leased in lease.urls] == ["http://a/2"]


def _fetch(session: Session, path: str, status: int | None, *, is_final: bool) -> None:
    page = Page(f"http://{path}", status, fetched_at=5.0)
    url_id = url_id_of(path)
    session.catalogue.put_fetch(url_id, page, None, size_bytes=0, reason="", is_final=is_final)
