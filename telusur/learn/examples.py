"""Labelled pages as training examples: their features, and the true labels of their lines."""

from collections.abc import Iterable, Iterator

import numpy as np

from telusur.extract.content.blocks import Blocks
from telusur.extract.content.features import measure_page
from telusur.extract.content.model import LABELS
from telusur.extract.document import open_page
from telusur.extract.page.layout import read_layout
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import block_truth
from telusur.learn.training import Example


def make_examples(pages: Iterable[LabelledPage]) -> Iterator[Example]:
    """Turn labelled pages into examples; empty pages are skipped."""
    for page in pages:
        opened = open_page(page.html, page.url)
        layout = read_layout(opened.tree)
        if not layout.texts:
            continue
        features = measure_page(layout, opened.metadata)
        truth = block_truth(Blocks(layout, [""] * len(layout.texts)), page)
        yield Example(
            id=page.id,
            site=page.site or page.id,
            features=features,
            shares=np.array(truth.shares, np.float32),
            facts=np.array(
                [[label == fact for fact in LABELS[1:]] for label in truth.labels], np.float32
            ),
            page_type=page.page_type,
            has_text=page.text is not None,
        )
