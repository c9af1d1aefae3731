"""What is compiled says what Python says: both ways are tried on the same input."""

from types import ModuleType
from typing import Any

import numpy as np

from telusur.crawl.rules import near_duplicates, traps
from telusur.extract.content import characters, element_names
from telusur.extract.content import head_overlap as facts
from telusur.extract.facts import nearby  # fmt: skip
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page import decode, layout, links
from telusur.extract.page.dom import TagIndex, parse_html
from telusur.extract.page.visible import hide_invisible
from telusur.language import indexed_text

URL = "http://a.example/b/"
LANGUAGES = ("en", "", "ja", "tr", "ar", "id")


class Without:
    """Modules without their compiled part for a while."""

    def __init__(self, *modules: ModuleType) -> None:
        self._modules = modules

    def __enter__(self) -> None:
        self._were = [module.native for module in self._modules]
        for module in self._modules:
            module.native = None

    def __exit__(self, *exc: object) -> None:
        for module, native in zip(self._modules, self._were, strict=True):
            module.native = native


def compare_pages(data: bytes) -> None:
    """Lay out a page, find its links and what stands near its headlines, both ways."""
    text = data.decode("utf-8", "replace")
    assert decode.clean_text(text) == _without(decode, lambda: decode.clean_text(text))
    tree = parse_html(decode.clean_text(text))
    hide_invisible(tree, TagIndex(tree))
    one, other = layout.read_layout(tree), layout.walk(tree)
    for name in ("texts", "marks", "styles"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("containers", "linked", "verbatim", "parents", "starts"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    names, others = ([each.names[n] for n in each.names_of.tolist()] for each in (one, other))
    assert names == others
    shown = "\n".join(one.texts)
    found = links.find_links(TagIndex(tree), shown, url=URL, anchors=one.anchors)
    assert found == _without(links, lambda: links.find_links(TagIndex(tree), shown, url=URL))
    for number, element in enumerate(tree.select("h1")[:3]):

        def read(number: int = number, element: Any = element) -> list[Any]:
            return _as_met(nearby.read_nearby(tree.html, element, number))

        assert read() == _without(nearby, read)
    _compare_lines(one)


def _compare_lines(found: layout.Layout) -> None:
    texts = found.texts
    if not texts:
        return
    counts, endings = characters.count_kinds(texts)
    np.testing.assert_array_equal(counts, characters._count(texts))
    np.testing.assert_array_equal(endings, characters._endings(texts))
    metadata = Metadata(title=texts[0], description=texts[-1], author="Ada Holm, ab")
    digits = counts[:, characters.Kind.DIGIT]

    def hold() -> Any:
        return facts.hold_against(texts, metadata, digits)

    np.testing.assert_allclose(hold(), _without(facts, hold), rtol=1e-6)

    def senses() -> Any:
        return element_names.senses_of_all(found.names)

    np.testing.assert_array_equal(senses(), _without(element_names, senses))


def compare_texts(data: bytes) -> None:
    """Analyse a text both ways."""
    text = data.decode("utf-8", "replace")
    for language in LANGUAGES:

        def read(language: str = language) -> Any:
            found = indexed_text.read_text(text, language)
            return found.terms.split(), found.exact.split(), found.tokens

        assert read() == _without(indexed_text, read), language
    assert near_duplicates.signature(text) == _without(
        near_duplicates, lambda: near_duplicates.signature(text)
    )
    assert traps.take_sample(text) == _without(traps, lambda: traps.take_sample(text))


def _without(module: ModuleType, work: Any) -> Any:
    with Without(module):
        return work()


def _as_met(found: Any) -> list[Any]:
    """Return pieces with the numbers of elements in the order in which they are met."""
    numbers = {-1: -1}
    return [
        piece._replace(
            element=numbers.setdefault(piece.element, len(numbers)),
            heading=numbers.setdefault(piece.heading, len(numbers)),
        )
        for piece in (*found.after, *found.before)
    ]
