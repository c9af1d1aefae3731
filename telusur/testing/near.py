"""What finding near duplicates must do: `NearDuplicatesSuite`."""

from typing import Any

from telusur.crawl.rules.near_duplicates import signature
from telusur.models import url_id_of
from telusur.store.records import Twin
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, put_document

#: A text that is long enough to have a signature.
BODY = " ".join(f"word{number * 31 % 997}" for number in range(400))


class NearDuplicatesSuite(StoreCase):
    """Near-duplicates."""

    def test_a_nearly_equal_text_with_the_same_title_is_found(self) -> None:
        session = self.begin()
        original = url_id_of("a/original")
        first = _put(session, "a/1", f"Visitor 1. {BODY}", canonical=original)
        found = _find(session, "a/2", f"Visitor 2. {BODY}")
        assert found == Twin(first, "http://a/1", original)

    def test_another_title_means_another_page(self) -> None:
        session = self.begin()
        _put(session, "a/1", f"Visitor 1. {BODY}", title="Mug, red")
        assert _find(session, "a/2", f"Visitor 2. {BODY}", "Mug, blue") is None

    def test_another_text_short_texts_and_the_page_itself_are_not_found(self) -> None:
        session = self.begin()
        _put(session, "a/1", BODY)
        _put(session, "a/short", "Three words only")
        assert _find(session, "a/1", BODY) is None
        assert _find(session, "a/2", " ".join(sorted(BODY.split()))) is None
        assert _find(session, "a/3", "Three words only") is None

    def test_a_document_that_left_the_index_is_no_original(self) -> None:
        session = self.begin()
        _put(session, "a/1", BODY, not_indexed="noindex")
        taken_out = _put(session, "a/2", BODY)
        session.catalogue.take_out_of_index(taken_out, "duplicate: x")
        assert _find(session, "a/3", BODY) is None

    def test_another_session_finds_what_was_committed(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        _put(session, "a/1", BODY)
        session.commit()
        session.close()
        found = _find(self.reopened(store).session(), "a/2", f"Now {BODY}")
        assert found is not None
        assert found.url == "http://a/1"

    def test_a_rolled_back_transaction_leaves_no_trace(self) -> None:
        session = self.begin()
        _put(session, "a/1", BODY)
        session.rollback()
        session.begin()
        assert _find(session, "a/2", BODY) is None
        # This key may replace the other.
        _put(session, "a/3", " ".join(sorted(BODY.split())))
        assert _find(session, "a/2", BODY) is None


def _put(session: Session, path: str, text: str, title: str = "Tides", **more: Any) -> bytes:
    url_id = put_document(session, path, text=text, title=title, **more)
    session.near.put(url_id, signature(text))
    return url_id


def _find(session: Session, path: str, text: str, title: str = "Tides") -> Twin | None:
    return session.near.find(url_id_of(path), title, signature(text))
