from collections.abc import Callable, Iterator

import pytest

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import IndexItem, View
from telusur.models import Document, url_id_of


@pytest.fixture
def view_of(tmp_path_factory) -> Iterator[Callable[..., View]]:
    """Return a function that gives the view of an index of some documents."""
    opened: list[TantivyIndex] = []

    def make(*documents: Document) -> View:
        index = TantivyIndex(tmp_path_factory.mktemp("index"))
        opened.append(index)
        index.replace(
            IndexItem(url_id_of(str(n)), f"https://a.example/{n}", document, "a.example")
            for n, document in enumerate(documents)
        )
        index.commit()
        return index.view()

    yield make
    for index in opened:
        index.close()
