"""Makes variants of training pages: articles cut short, and pages without class names and ids.

Training pages are mostly long articles with telling names. A model that has seen nothing else takes
the comments below a short article for its text, or the headlines beside it for a list, above all if
the names around them are in a language that it does not know.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.features import measure_page
from telusur.extract.page.layout import Layout
from telusur.learn.lessons.conventions import is_of_articles
from telusur.learn.lessons.example import Example

# Chosen on sets that no model was trained on.
_SHORT_SHARE = 0.5
_NAMELESS_SHARE = 0.3
_LOUDNESS = 0.7
# Words that are left of an article; only longer ones are cut.
_LEFT = (30.0, 140.0)
_LONG = 150.0
# Longer pages take much time and teach little.
_MOST_LINES = 1200


def make_variants(examples: Sequence[Example], seed: int) -> list[Example]:
    """Return a variant of some of these pages: cut short, without names, or both."""
    rng = np.random.default_rng(seed)
    made = (_make_variant(example, rng) for example in examples)
    return [variant for variant in made if variant is not None]


def _make_variant(example: Example, rng: np.random.Generator) -> Example | None:
    is_short, is_nameless = rng.random() < _SHORT_SHARE, rng.random() < _NAMELESS_SHARE
    left = rng.uniform(*_LEFT)
    if example.material is None or len(example.shares) > _MOST_LINES:
        return None
    layout, metadata = example.material
    kept = _keep_first_words(example, left) if is_short and _is_article(example) else None
    if kept is None and not is_nameless:
        return None
    if kept is not None:
        layout = _only(layout, kept)
        example = replace(
            example, shares=example.shares[kept], facts=example.facts[kept],
            known=example.known[kept],
        )  # fmt: skip
    if is_nameless:
        layout = _without_names(layout)
    return replace(
        example, features=measure_page(layout, metadata), material=None,
        loudness=example.loudness * _LOUDNESS,
    )  # fmt: skip


def _is_article(example: Example) -> bool:
    return example.page_type in ("article", "") and is_of_articles(example.source)


def _keep_first_words(example: Example, left: float) -> Floats | None:
    """Return whether each line stays if only the first words of a long text do."""
    is_content = (example.shares >= 0.5) & ~example.facts.any(axis=1)
    numbers = is_content.nonzero()[0]
    words = np.cumsum(example.features.words[numbers])
    if not len(words) or words[-1] < _LONG:
        return None
    kept = np.ones(len(is_content), bool)
    kept[numbers[max(1, int(np.searchsorted(words, left))) :]] = False
    return kept


def _only(layout: Layout, kept: Floats) -> Layout:
    """Return a layout with only some of its lines."""
    numbers = kept.nonzero()[0]
    before = np.append(0, np.cumsum(kept)).astype(np.int32)
    return replace(
        layout,
        texts=[layout.texts[number] for number in numbers.tolist()],
        marks=[layout.marks[number] for number in numbers.tolist()],
        containers=layout.containers[numbers],
        linked=layout.linked[numbers],
        verbatim=layout.verbatim[numbers],
        starts=before[layout.starts],
    )


def _without_names(layout: Layout) -> Layout:
    """Return a layout whose elements have no class, id or role."""
    names = [(tag, "", "", "") for tag, *_ in layout.names]
    return replace(layout, names=names, marks=[""] * len(layout.texts))
