"""Labelled pages as training examples: their features, and the true labels of their lines."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from telusur.extract.content.blocks import Blocks
from telusur.extract.content.features import measure_page
from telusur.extract.content.model import LABELS
from telusur.extract.document import open_page
from telusur.extract.page.layout import Layout, read_layout
from telusur.learn.lessons.example import Example
from telusur.learn.lessons.witnesses import Unlabelled, Witnesses, unlabelled
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import block_truth

_FACTS = LABELS[1:]
# What sets of pages call a type that we call otherwise.
_TYPES = {"recipe": "article"}


def make_examples(pages: Iterable[LabelledPage]) -> Iterator[Example]:
    """Turn labelled pages into examples; empty pages are skipped."""
    for page in pages:
        if (made := _make(page)) is not None:
            yield made[0]


def make_all(
    pages: Iterable[LabelledPage], witnesses: Witnesses
) -> tuple[list[Example], list[Unlabelled]]:
    """Return the examples, and apart from them the pages that only witnesses can label."""
    examples, others = [], []
    for page in pages:
        if (made := _make(page)) is None:
            continue
        example, layout = made
        texts = witnesses.get(page.key, ()) if page.text is None else ()
        if any(texts):
            others.append(unlabelled(example, layout.texts, page, texts))
        else:
            examples.append(example)
    return examples, others


def _make(page: LabelledPage) -> tuple[Example, Layout] | None:
    """Return a page as an example, with its lines; None if it shows nothing.

    A title, byline or date is no content for us, and sets differ here: nothing is learned from it.
    """
    opened = open_page(page.html, page.url)
    layout = read_layout(opened.tree)
    if not layout.texts:
        return None
    truth = block_truth(Blocks(layout, [""] * len(layout.texts)), page)
    facts = np.array([[label == fact for fact in _FACTS] for label in truth.labels], np.float32)
    is_known = page.text is not None
    example = Example(
        id=page.id,
        site=page.site or page.id,
        features=measure_page(layout, opened.metadata),
        shares=np.array(truth.shares, np.float32),
        facts=facts,
        page_type=_TYPES.get(page.page_type, page.page_type),
        known=1 - facts.max(axis=1) if is_known else np.zeros(len(facts), np.float32),
        known_facts=np.array([fact in page.known for fact in _FACTS], np.float32),
        source=page.source,
        material=(replace(layout, anchors=None), opened.metadata),
    )
    return example, layout
