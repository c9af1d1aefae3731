import pytest

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import Anchor, IndexItem
from telusur.models import Document, Heading, url_id_of
from telusur.search.rank.word_counts import count_terms, count_words, inverse_frequency

OWLS = IndexItem(
    url_id_of("owls"),
    "https://birds.example/owls",
    Document(
        title="Owls", text="Owls hunt. An owl sees.", language="en", headings=[Heading(2, "Owls")]
    ),
    anchors=(Anchor("owls", 2),),
)
HENS = IndexItem(url_id_of("hens"), "https://birds.example/x", Document(text="Hens", language="en"))


@pytest.fixture
def view(tmp_path):
    index = TantivyIndex(tmp_path)
    index.replace([OWLS, HENS])
    index.commit()
    yield index.view()
    index.close()


def test_a_word_by_place(view):
    (word,) = count_words(view, {OWLS.url_id: OWLS.document}.get, "owls")
    assert (word.term, word.documents, word.of) == ("owl", 1, 2)
    assert word.idf == pytest.approx(inverse_frequency(1, 2))
    (found,) = word.best
    assert found.places == {"title": 1, "h2": 1, "url": 1, "body": 2, "anchor": 2}
    assert found.weighted == 3 + 1 + 2 + 2 + 2


def test_a_word_that_no_document_has(view):
    (word,) = count_words(view, {}.get, "cow")
    assert (word.documents, word.best) == (0, ())


def test_the_words_of_a_document(view):
    first, *rest = count_terms(view, OWLS)
    assert first.term == "owl"
    assert first.places["body"] == 2
    assert {row.term for row in rest} == {"hunt", "an", "see", "bird", "exampl"}
