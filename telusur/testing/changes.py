"""What following a catalogue must do: `ChangesSuite`."""

import random

from telusur.models import Heading, url_id_of
from telusur.store.changes import Changes
from telusur.store.records import BEGINNING, Cursor
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, changes_of, put_document, titles_of


class ChangesSuite(StoreCase):
    """No follower misses a committed document, and nobody sees an uncommitted one."""

    def test_documents_come_in_the_order_of_their_changes(self) -> None:
        store = self.open_store()
        session = store.session()
        _commit(session, "a/1", "a/2")
        _commit(session, "b/1")
        _commit(session, "a/0")
        assert titles_of(store) == ["a/1", "a/2", "b/1", "a/0"]

    def test_a_follower_goes_on_from_any_cursor(self) -> None:
        store = self.open_store()
        titles = [f"a/{number}" for number in range(6)]
        _commit(store.session(), *titles)
        changes = store.changes()
        for most in (1, 2, 4, 99):
            assert _follow(changes, most) == titles
        assert list(changes.after(BEGINNING, 0)) == []
        changes.close()

    def test_a_follower_sees_what_is_committed_after_it_began(self) -> None:
        store = self.open_store()
        session = store.session()
        changes = store.changes()
        assert list(changes.after(BEGINNING, 9)) == []
        _commit(session, "a/1")
        ((change, cursor),) = changes.after(BEGINNING, 9)
        assert change.url_id == url_id_of("a/1")
        _commit(session, "a/2")
        ((change, cursor),) = changes.after(cursor, 9)
        assert change.url_id == url_id_of("a/2")
        assert list(changes.after(cursor, 9)) == []
        changes.close()

    def test_nobody_sees_what_is_not_committed(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        put_document(session, "a/1")
        assert changes_of(store) == []
        session.rollback()
        assert changes_of(store) == []
        _commit(session, "a/2")
        assert titles_of(store) == ["a/2"]

    def test_a_document_stored_twice_is_one_change(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        put_document(session, "a/1")
        put_document(session, "a/2")
        put_document(session, "a/1")
        session.commit()
        assert titles_of(store) == ["a/2", "a/1"]

    def test_a_document_that_changes_again_is_given_again_as_it_is_now(self) -> None:
        store = self.open_store()
        session = store.session()
        _commit(session, "a/1", "a/2")
        changes = store.changes()
        *_, (_, cursor) = changes.after(BEGINNING, 9)
        session.begin()
        put_document(session, "a/1", text="Later")
        session.commit()
        ((change, _),) = changes.after(cursor, 9)
        assert (change.url_id, change.document.text) == (url_id_of("a/1"), "Later")
        assert titles_of(store) == ["a/2", "a/1"]
        changes.close()

    def test_a_document_that_leaves_the_index_is_a_change(self) -> None:
        store = self.open_store()
        session = store.session()
        _commit(session, "a/1", "a/2")
        changes = store.changes()
        *_, (_, cursor) = changes.after(BEGINNING, 9)
        session.begin()
        session.catalogue.take_out_of_index(url_id_of("a/1"), "duplicate: http://a/2")
        session.commit()
        ((change, _),) = changes.after(cursor, 9)
        assert (change.url_id, change.not_indexed) == (url_id_of("a/1"), "duplicate: http://a/2")
        changes.close()

    def test_a_change_has_what_an_index_needs(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        told = {
            "title": "Owls", "date": "2026-01-31", "description": "On owls.", "keywords": "owl",
            "text": "Owls hunt\nat night 🙂.", "language": "en", "page_type": "article",
            "headings": [Heading(2, "How owls hunt")], "topic_score": 0.5, "topic": "owls",
        }  # fmt: skip
        put_document(session, "a/1", not_indexed="noindex", **told)
        session.commit()
        (change,) = changes_of(store)
        assert (change.url_id, change.site, change.fetched_at) == (url_id_of("a/1"), "a", 5.0)
        assert (change.document.url, change.not_indexed) == ("http://a/1", "noindex")
        del told["topic_score"]
        assert {name: getattr(change.document, name) for name in told} == told

    def test_documents_can_be_asked_for_by_id(self) -> None:
        store = self.open_store()
        session = store.session()
        _commit(session, "a/1", "a/2", "a/3")
        changes = store.changes()
        asked = [url_id_of("a/3"), url_id_of("a/nobody"), url_id_of("a/1")]
        found = {change.document.title for change in changes.documents(asked)}
        assert found == {"a/3", "a/1"}
        changes.close()

    def test_a_cursor_that_is_not_behind_the_end_stays_as_it_is(self) -> None:
        store = self.open_store()
        changes = store.changes()
        assert changes.latest(BEGINNING) == BEGINNING
        _commit(store.session(), "a/1", "a/2")
        for _, cursor in changes.after(BEGINNING, 9):
            assert changes.latest(cursor) == cursor
        changes.close()

    def test_a_cursor_behind_the_end_misses_nothing_that_comes(self) -> None:
        other = self.open_store()
        _commit(other.session(), *(f"a/{number}" for number in range(9)))
        ahead = other.changes()
        *_, (_, cursor) = ahead.after(BEGINNING, 99)
        ahead.close()
        # A store that lost its last commits: the follower is ahead of the store.
        store = self.open_store()
        session = store.session()
        _commit(session, "a/1")
        changes = store.changes()
        cursor = changes.latest(cursor)
        _commit(session, "a/2")
        assert "a/2" in [change.document.title for change, _ in changes.after(cursor, 9)]
        changes.close()

    def test_a_follower_may_stop_at_the_end_of_before(self) -> None:
        store = self.open_store()
        session = store.session()
        changes = store.changes()
        assert list(changes.after(BEGINNING, 9, changes.end())) == []
        _commit(session, "a/1", "a/2", "a/3")
        until = changes.end()
        _commit(session, "a/2", "a/4")
        step = list(changes.after(BEGINNING, 9, until))
        # A document that changed again comes at its last change, which is after that end.
        assert [change.document.title for change, _ in step] == ["a/1", "a/3"]
        assert [one.document.title for one, _ in changes.after(BEGINNING, 1, until)] == ["a/1"]
        assert [one.document.title for one, _ in changes.after(step[0][1], 9, until)] == ["a/3"]
        assert list(changes.after(until, 9, until)) == []
        behind = [one.document.title for one, _ in changes.after(until, 9)]
        assert behind == ["a/2", "a/4"]
        changes.close()

    def test_the_end_is_behind_the_last_change(self) -> None:
        store = self.open_store()
        session = store.session()
        changes = store.changes()
        empty = changes.end()
        _commit(session, "a/1", "a/2")
        end = changes.end()
        assert end != empty
        assert (changes.latest(end), list(changes.after(end, 9))) == (end, [])
        session.begin()
        put_document(session, "a/3")
        assert changes.end() == end
        session.commit()
        for cursor, titles in ((empty, ["a/1", "a/2", "a/3"]), (end, ["a/3"])):
            assert [one.document.title for one, _ in changes.after(cursor, 9)] == titles
        changes.close()

    def test_documents_that_a_follower_has_not_seen_are_counted(self) -> None:
        store = self.open_store()
        session = store.session()
        changes = store.changes()
        assert (changes.count_after(BEGINNING), changes.count_after(changes.end())) == (0, 0)
        _commit(session, "a/1", "a/2", "a/3")
        _commit(session, "a/1")
        session.begin()
        put_document(session, "a/4", not_indexed="noindex")
        session.commit()
        assert changes.count_after(BEGINNING) == 4
        cursors = [cursor for _, cursor in changes.after(BEGINNING, 9)]
        assert [changes.count_after(cursor) for cursor in cursors] == [3, 2, 1, 0]
        session.begin()
        put_document(session, "a/5")
        assert changes.count_after(changes.end()) == 0
        session.rollback()
        changes.close()

    def test_a_follower_beside_a_writer_misses_nothing(self) -> None:
        store = self.open_store()
        session = store.session()
        changes = store.changes()
        chance = random.Random(7)  # noqa: S311 - the same schedule each time
        written: dict[bytes, str] = {}
        seen: dict[bytes, str] = {}
        cursor = BEGINNING
        for turn in range(60):
            pages = {url_id_of(f"a/{n}"): f"a/{n}" for n in chance.choices(range(20), k=3)}
            session.begin()
            for path in pages.values():
                put_document(session, path, text=str(turn))
            if chance.random() < 0.3:
                session.rollback()
            else:
                session.commit()
                written |= dict.fromkeys(pages, str(turn))
            for change, behind in changes.after(cursor, chance.randrange(4)):
                seen[change.url_id], cursor = change.document.text, behind
        seen |= {change.url_id: change.document.text for change, _ in changes.after(cursor, 999)}
        assert seen == written
        changes.close()


def _commit(session: Session, *paths: str) -> None:
    session.begin()
    for path in paths:
        put_document(session, path)
    session.commit()


def _follow(changes: Changes, most: int) -> list[str]:
    """Read everything in steps of this size; return the titles."""
    titles: list[str] = []
    cursor: Cursor = BEGINNING
    while step := list(changes.after(cursor, most)):
        titles += [change.document.title for change, _ in step]
        assert step[-1][1] != cursor, "the cursor stands still"
        _, cursor = step[-1]
    return titles
