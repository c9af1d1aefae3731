"""Makes more variants of training pages: in old markup, and in other writing systems."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from telusur.extract.content.features import measure_page
from telusur.learn.lessons.example import Example
from telusur.learn.lessons.old_markup import Habits, in_old_markup
from telusur.learn.lessons.other_language import in_other_language, is_latin

_LOUDNESS = 0.7
# Longer pages take much time and teach little.
_MOST_LINES = 1200
# Pages of that time have nothing but a title in their head.
_BARE_HEADS = 0.7


def make_rewritings(
    examples: Sequence[Example], seed: int, *, old_markup: float, other_languages: float
) -> list[Example]:
    """Return pages in old markup, in another language, or both; the numbers are their shares."""
    rng = np.random.default_rng(seed)
    made = []
    for example in examples:
        is_old, is_foreign = rng.random() < old_markup, rng.random() < other_languages
        if example.material is None or len(example.shares) > _MOST_LINES:
            continue
        is_foreign = is_foreign and is_latin(example.material[0])
        if is_foreign:
            example = _translate(example, rng)  # noqa: PLW2901
        if is_old:
            example = _make_old(example, rng)  # noqa: PLW2901
        if is_old or is_foreign:
            made.append(_measure(example))
    return made


def _translate(example: Example, rng: np.random.Generator) -> Example:
    assert example.material is not None
    return replace(example, material=in_other_language(*example.material, rng))


def _make_old(example: Example, rng: np.random.Generator) -> Example:
    assert example.material is not None
    layout, metadata = example.material
    is_fact = example.facts.any(axis=1)
    kinds = (example.shares >= 0.5) * 2 + example.known.astype(np.int64)
    page = in_old_markup(layout, Habits.by_chance(rng), np.where(is_fact, -1, kinds).tolist(), rng)
    if rng.random() < _BARE_HEADS:
        metadata = replace(metadata, description="", stated_text="", schema_types=[])
    return replace(
        example,
        material=(page.layout, metadata),
        shares=page.mean_of(example.shares, example.features.words),
        facts=page.first_of(example.facts),
        known=page.first_of(example.known),
    )


def _measure(example: Example) -> Example:
    assert example.material is not None
    return replace(
        example, features=measure_page(*example.material), material=None,
        loudness=example.loudness * _LOUDNESS,
    )  # fmt: skip
