"""The features of a page's lines and containers: the input of the classifier.

Nearly all of them come from a few numpy operations over characters and lines, not from loops.
Lengths and counts are logarithms or shares, so that no scaling is needed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints, Ints32
from telusur.extract.content.characters import Kind, count_kinds
from telusur.extract.content.element_names import COUNT, Names, senses_of_all
from telusur.extract.content.head_overlap import COUNT as FACTS
from telusur.extract.content.head_overlap import hold_against
from telusur.extract.content.ranges import Ranges
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.page_signs import COUNT as SIGNS
from telusur.extract.facts.page_signs import page_signs
from telusur.extract.page.containers import Containers, find_containers
from telusur.extract.page.layout import CELL_TAGS, Layout

LINE_COLUMNS = 24 + 12 + FACTS + 2 + 1 + COUNT + SIGNS
CONTAINER_COLUMNS = 13 + 24 + COUNT + 3
_SHORT = 80  # characters; only the words of short lines are used
_LONG = 15  # words; lines with more are running text
_HEADINGS = {"h1": 1.0, "h2": 0.8, "h3": 0.6, "h4": 0.5, "h5": 0.4, "h6": 0.3}
_BITS = np.arange(COUNT)


@dataclass(slots=True)
class Features:
    """The features of one page: one row per line, and one row per container."""

    lines: Floats
    containers: Floats
    # The lines of each container.
    inside: Ranges
    # For each line the container that directly holds it ...
    own: Ints
    # ... and the one around that.
    around: Ints
    # For each line its text if it is short, else nothing.
    line_words: list[str]
    line_marks: list[str]
    # The different names of elements ...
    names: list[Names]
    # ... of which each container has some, by their numbers, one container after the other ...
    members: Ints32
    # ... beginning here.
    members_at: Ints32
    # How many words each line has.
    words: Floats


def measure_page(layout: Layout, metadata: Metadata) -> Features:
    """Return the features of a page with at least one line.

    1. Count the kinds of characters of every line. 2. Find the containers. 3. Compute the position
    of each line. 4. Compare the lines with the head of the page. 5. Sum up the containers.
    """
    texts = layout.texts
    kinds, flags = count_kinds(texts)  # 1
    words: Floats = kinds[:, Kind.SPACE] + 1 + kinds[:, Kind.IDEOGRAPH] / np.float32(2)
    around = find_containers(layout)  # 2
    known = senses_of_all(layout.names)[around.names]
    masks = np.bitwise_or.reduceat(known, around.names_at)
    senses = ((masks[:, None] >> _BITS) & 1).astype(np.float32)
    heading = heading_levels(layout.names)[around.innermost][around.own]
    looks = _looks(layout, kinds, flags, words)
    lines = np.empty((len(texts), LINE_COLUMNS), np.float32)
    _put_beside(
        lines,
        looks,
        _places(words, heading),
        hold_against(texts, metadata, kinds[:, Kind.DIGIT]),
        _kin(layout, words),
        heading[:, None],
        np.minimum(around.inside.sum_around(senses), 2),
        np.array(page_signs(metadata), np.float32)[None],
    )  # 3, 4
    containers = np.empty((len(masks), CONTAINER_COLUMNS), np.float32)
    _put_beside(
        containers,
        _sum_up(around, looks, words, heading),
        senses,
        _count_twins(around, len(layout.names)),
    )  # 5
    return Features(
        lines=lines,
        containers=containers,
        inside=around.inside,
        own=around.own,
        around=around.parents[around.own],
        line_words=[text if len(text) <= _SHORT else "" for text in texts],
        line_marks=layout.marks,
        names=layout.names,
        members=around.names,
        members_at=around.names_at,
        words=words,
    )


def heading_levels(names: list[Names]) -> Floats:
    """Return for each element name how strongly it is a heading."""
    return np.array([_HEADINGS.get(each[0], 0.0) for each in names], np.float32)


def _put_beside(table: Floats, *parts: Floats) -> None:
    """Fill the columns of a table with these parts, side by side."""
    at = 0
    for part in parts:
        table[:, at : at + part.shape[1]] = part
        at += part.shape[1]


def _looks(layout: Layout, kinds: Floats, flags: NDArray[np.uint8], words: Floats) -> Floats:
    """Return the features of each line by itself."""
    length = np.maximum(kinds.sum(axis=1), 1)
    letters = kinds[:, Kind.LOWER] + kinds[:, Kind.UPPER] + kinds[:, Kind.IDEOGRAPH]
    letters = np.maximum(letters, 1)
    density = np.minimum(layout.linked.astype(np.float32) / length, 1)
    is_cell = np.array([names[0] in CELL_TAGS for names in layout.names])
    looks = np.empty((len(words), 24), np.float32)
    columns = (
        np.log1p(words) / 3,
        np.log1p(length) / 4,
        np.log1p(np.maximum(words * (1 - density) - 1, 0)) / 3,
        density,
        density > 0.9,
        letters / words / 8,
        kinds[:, Kind.UPPER] / letters,
        kinds[:, Kind.DIGIT] / length,
        np.log1p(kinds[:, Kind.END]) / 2,
        np.log1p(kinds[:, Kind.COMMA]) / 2,
        (kinds[:, Kind.END] + kinds[:, Kind.COMMA]) / words,
        kinds[:, Kind.MARK] / length,
        np.minimum(kinds[:, Kind.BAR], 5) / 5,
        np.minimum(kinds[:, Kind.MONEY], 3) / 3,
        np.minimum(kinds[:, Kind.SIGN], 2) / 2,
        kinds[:, Kind.IDEOGRAPH] / length,
        words < 3,
        words > _LONG,
        words / max(1.0, float(words.mean())) / 4,
        layout.verbatim,
        is_cell[layout.names_of[layout.containers]],
        flags[:, 0],
        flags[:, 1],
        flags[:, 2],
    )
    for number, column in enumerate(columns):
        looks[:, number] = column
    return looks


def _places(words: Floats, heading: Floats) -> Floats:
    """Return the position of each line: by lines, by words, and from the last heading."""
    count = len(words)
    numbers = np.arange(count, dtype=np.float32)
    before = np.cumsum(words) - words
    total = max(1.0, float(words.sum()))
    prose = np.where(words > _LONG, words, 0)
    prose_before = np.cumsum(prose) - prose
    all_prose = max(1.0, float(prose.sum()))
    last_heading = np.maximum.accumulate(np.where(heading > 0, numbers, -1))
    has_top = bool((heading >= 1).any())
    first_top = int(np.argmax(heading >= 1))
    columns = (
        numbers / count,
        before / total,
        prose_before / all_prose,
        np.log1p(before) / 8,
        np.log1p(total - before) / 8,
        np.log1p(numbers - last_heading) / 4,
        last_heading >= 0,
        np.clip((numbers - first_top) / 20, -1, 1) * has_top,
        np.full(count, has_top),
        np.full(count, np.log1p(count) / 6),
        np.full(count, np.log1p(total) / 8),
        np.full(count, all_prose / total),
    )
    return np.column_stack(columns).astype(np.float32)


def _kin(layout: Layout, words: Floats) -> Floats:
    """Return how much of the page's running text is in elements with the same names as the line's.

    And in elements whose parents have the same names as its parent.
    """
    prose = np.where(words > _LONG, words, 0)
    total = max(1.0, float(prose.sum()))
    above = layout.parents[layout.containers]
    unnamed = len(layout.names)
    columns = np.empty((len(words), 2), np.float32)
    for number, keys in enumerate(
        (
            layout.names_of[layout.containers],
            np.where(above >= 0, layout.names_of[above], unnamed),
        )
    ):
        columns[:, number] = np.bincount(keys, prose, unnamed + 1)[keys] / total
    return columns


def _sum_up(around: Containers, looks: Floats, words: Floats, heading: Floats) -> Floats:
    """Return the size, position and mean features of each container."""
    columns = np.column_stack([words, words * looks[:, 3], words > _LONG, heading > 0, looks])
    inside = around.inside.sum_within(columns)
    starts, ends, count = around.inside.starts, around.inside.ends, around.inside.sizes[:, 0]
    before = np.append(0, np.cumsum(words))
    own_words = np.maximum(inside[:, 0], 1)
    total, all_prose = max(1.0, float(words.sum())), max(1.0, float((words > _LONG).sum()))
    return np.column_stack(
        [
            np.log1p(count) / 5,
            np.log1p(own_words) / 7,
            count / len(words),
            own_words / total,
            inside[:, 1] / own_words,
            np.log1p(inside[:, 2]) / 3,
            inside[:, 2] / all_prose,
            np.log1p(inside[:, 3]) / 3,
            np.log1p(own_words / count) / 4,
            starts / len(words),
            ends / len(words),
            before[starts] / total,
            np.log1p(around.depths) / 3,
            inside[:, 4:] / count[:, None],
        ]
    ).astype(np.float32)


def _count_twins(around: Containers, names: int) -> Floats:
    """Return how many containers of the page and of the same parent have the same names.

    And how many elements a container stands for.
    """
    own = around.innermost
    keys = names * around.parents + own
    _, kind, siblings = np.unique(keys, return_inverse=True, return_counts=True)
    counts = np.column_stack([siblings[kind], np.bincount(own)[own], around.sizes])
    logs: Floats = np.log(counts).astype(np.float32)
    return logs / np.float32(3)
