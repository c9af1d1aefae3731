"""Labelled pages prepared once for all engines: blocks, truth, meta tags and features."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from telusur.extract.document import extract_document
from telusur.extract.drawn import label_drawn
from telusur.learn.lcs import words_of
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.source_features import source_features
from telusur.learn.pages.styles import PageStyles
from telusur.learn.pages.truth import gold_labels
from telusur.models import Block, Document

LABELS = ("other", "content", "title", "author")
# Returns the blocks of a page in a browser; none if that fails.
Draw = Callable[[LabelledPage], Sequence[Block]]


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
    # How many words each block has.
    words: list[int]
    rows: npt.NDArray[np.float32]
    row_of: npt.NDArray[np.int64]
    title: str = ""
    author: str = ""
    # Title, author and description come from the page's own meta tags.
    description: str = ""


def prepare_pages(pages: Iterable[LabelledPage], draw: Draw | None = None) -> Iterator[SourcePage]:
    """Prepare labelled pages, without empty ones and those with unknown text."""
    for page in pages:
        if page.text is not None and (ready := prepare_page(page, draw)).blocks:
            yield ready


def prepare_page(page: LabelledPage, draw: Draw | None = None) -> SourcePage:
    """Extract a page, compare its blocks with the truth, and measure their look.

    With `draw` the blocks are those visible in a browser, otherwise the parser's.
    """
    document = extract_document(page.html, page.url)
    if draw is None:
        blocks, labels = document.blocks, gold_labels(document.blocks, page)
    else:
        blocks = [block for block in draw(page) if not block.is_hidden]
        labels = _labels_of_drawn(blocks, document.blocks, page)
    ready = look_at(document, blocks, page.html, page.site)
    ready.id, ready.page_type = page.id, page.page_type
    ready.truth = [label if label in LABELS else "other" for label in labels]
    return ready


def look_at(document: Document, blocks: Sequence[Block], html: str, site: str) -> SourcePage:
    """Measure the look of a page's blocks; nothing is known about their truth."""
    rows, row_of = _rows_of(blocks, PageStyles(html))
    if any(block.css is not None for block in blocks):  # many times as large as a row
        blocks = [replace(block, css=None, html="") for block in blocks]
    return SourcePage(
        document.url, site, document.page_type, blocks, [],
        [len(words_of(block.text)) for block in blocks], rows, row_of,
        document.title, document.author or "", document.description,
    )  # fmt: skip


def _labels_of_drawn(
    drawn: Sequence[Block], read: Sequence[Block], page: LabelledPage
) -> list[str]:
    """Return the labels of the browser's blocks; people labelled those of the parser."""
    if not page.labels:
        return gold_labels(drawn, page)
    named = [replace(block, label=own) for block, own in zip(read, page.labels, strict=True)]
    return [block.label for block in label_drawn(drawn, named)]


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
    """Return everything that the features of a block depend on."""
    css = tuple(sorted(block.css.items())) if block.css is not None else None
    return block.tag_path, block.selectors, block.element_id, block.classes, block.style, css
