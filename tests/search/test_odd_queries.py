"""Whatever is typed has an answer. `bench/odd_queries.py` asks more, and looks at the clock."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import IndexItem
from telusur.models import Document, url_id_of
from telusur.search.engine import search

LONG = 100_000
TEXTS = {
    "en": "Cats hunt mice, to be or not to be. Cats!",
    "de": "Die Katze jagt die Maus in der Straße.",
    "tr": "IŞIK altında İstanbul'da bir kedi.",
    "ja": "日本語の検索エンジンを作る。",
    "ar": "القط يصطاد الفأر في الليل.",
    "": "🙂 ½ ﬁ",
}
PIECES = [
    *'"()-+|:*~^[]{}\\/<>&!?., \n',
    *("cat", "mice", "the", "katze", "猫", "検索", "قط", "IŞIK", "🙂", "½", "2024-05", "~2"),
    *(" OR ", " AND ", " NOT ", "site:", "lang:", "type:", "topic:", "title:", "url:", "before:"),
    *("after:", "\u200f", "\u202e", "\x00", "\ud800", "\u0301", "\ufeff"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    opened = TantivyIndex(tmp_path_factory.mktemp("index"))
    opened.replace(
        IndexItem(
            url_id_of(code), f"https://{code or 'x'}.example/", Document(text=text, language=code)
        )
        for code, text in TEXTS.items()
    )
    opened.commit()
    yield opened
    opened.close()


def check(index, text):
    results = search(index, text)
    assert results.query == text
    assert len(results.hits) <= results.total
    for hit in results.hits:
        assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)
    if results.understood:
        again = search(index, results.understood)
        assert (again.total, again.understood) == (results.total, results.understood)


@pytest.mark.parametrize("piece", PIECES)
def test_anything_may_stand_alone_or_in_front_or_behind_or_for_ever(index, piece):
    check(index, piece)
    check(index, f"{piece}cats")
    check(index, f"cats {piece}")
    check(index, (piece * LONG)[:LONG])


@pytest.mark.parametrize(
    "text",
    ["the of and", '"to be or not to be"', "to AND be", "die", "x" * LONG, "cat* " * 20_000,
     "cat~2 " * 20_000, "(cat OR " * 12_000, "-cat " * 20_000, '"cat mice" ' * 9_000],
)  # fmt: skip
def test_small_words_and_long_queries(index, text):
    check(index, text)


@pytest.mark.slow
def test_random_strings_have_an_answer(index):
    chance = random.Random(5)
    for _ in range(300):
        length = chance.randint(0, 100)
        check(index, "".join(chr(chance.randrange(0x110000)) for _ in range(length)))
        check(index, "".join(chance.choices(PIECES, k=length)))


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=100))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_query_has_an_answer(index, text):
    check(index, text)
