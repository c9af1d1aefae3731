"""What "Why this?" tells: numbers that fit those on the rest of the page."""

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import IndexItem
from telusur.models import Document, url_id_of
from telusur.search.engine import search
from telusur.search.request import SearchRequest


def lines(node):
    yield node.description
    for child in node.details:
        yield from lines(child)


def test_documents_that_were_replaced_are_not_counted(tmp_path):
    def items(texts):
        for n, text in enumerate(texts):
            url = f"https://a.example/{n}"
            yield IndexItem(url_id_of(str(n)), url, Document(title="", text=text), "a.example")

    index = TantivyIndex(tmp_path / "index")
    texts = ["tide clocks of brass", "clocks of iron", "no such thing", "nor here"]
    for some in (texts, texts[:1]):
        index.replace(items(some))
        index.commit()
    assert index.has_leftovers(), "without replaced documents this shows nothing"
    found = search(index, SearchRequest("clocks", explain=True))
    told = [line for hit in found.hits for line in lines(hit.explanation)]
    counted = [line for line in told if "documents" in line]
    assert len(counted) >= 2
    assert all("in 2 of 4 documents" in line for line in counted), counted
    index.close()
