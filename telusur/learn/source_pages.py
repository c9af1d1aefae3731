"""Labelled pages made ready once for all engines: blocks, truth, meta tags and features."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telusur.extract.document import extract_document
from telusur.learn.dataset import LabelledPage
from telusur.learn.lcs import words_of
from telusur.learn.source_features import source_features
from telusur.learn.styles import PageStyles
from telusur.learn.truth import gold_labels
from telusur.models import Block

LABELS = ("other", "content", "title", "author")


@dataclass(slots=True, eq=False)
class SourcePage:
    """A page as the engines see it, and its truth.

    Blocks of the same path and look share a row of features: `rows[row_of[i]]` is that of block i.
    """

    id: str
    site: str
    page_type: str
    blocks: Sequence[Block]
    truth: list[str]
    words: list[int]
    """How many words each block has."""
    rows: npt.NDArray[np.float32]
    row_of: npt.NDArray[np.int64]
    title: str = ""
    author: str = ""
    description: str = ""
    """Title, author and description are what the page's own meta tags say."""


def prepare_pages(pages: Iterable[LabelledPage]) -> Iterator[SourcePage]:
    """Make labelled pages ready, without those that show nothing or whose text nobody can tell."""
    for page in pages:
        if page.text is not None and (ready := prepare_page(page)).blocks:
            yield ready


def prepare_page(page: LabelledPage) -> SourcePage:
    """Extract a page, hold its blocks against the truth, and measure their look."""
    document = extract_document(page.html, page.url)
    blocks = document.blocks
    truth = [label if label in LABELS else "other" for label in gold_labels(blocks, page)]
    rows, row_of = _rows_of(blocks, PageStyles(page.html))
    return SourcePage(
        page.id, page.site, page.page_type, blocks, truth,
        [len(words_of(block.text)) for block in blocks], rows, row_of,
        document.title, document.author or "", document.description,
    )  # fmt: skip


def _rows_of(
    blocks: Sequence[Block], styles: PageStyles
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    places: dict[Hashable, int] = {}
    firsts: list[Block] = []
    look_of: list[int] = []
    for block in blocks:
        look_of.append(places.setdefault(_look_of(block), len(places)))
        if len(places) > len(firsts):
            firsts.append(block)
    rows, same = np.unique(source_features(firsts, styles), axis=0, return_inverse=True)
    return rows, same.reshape(-1)[np.array(look_of, np.int64)]


def _look_of(block: Block) -> Hashable:
    """Return all that the features of a block are made of."""
    css = tuple(sorted(block.css.items())) if block.css is not None else None
    return block.tag_path, block.selectors, block.element_id, block.classes, block.style, css
