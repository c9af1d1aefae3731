"""What a page's lines and containers look like in numbers: what the classifier reads.

Nearly all numbers of a page come out of a few numpy operations over its characters and lines, not
of loops over them. Lengths and counts are logarithms or shares, so that no scaling is needed.
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from turbohtml import Element

from telusur.extract.characters import Kind, count_kinds
from telusur.extract.dates import parse_date
from telusur.extract.dom import Layout, Line
from telusur.extract.element_names import COUNT, Names, senses_of
from telusur.extract.metadata import Metadata
from telusur.extract.page_signs import COUNT as SIGNS
from telusur.extract.page_signs import page_signs
from telusur.extract.ranges import Floats, Ints, Ranges

LINE_COLUMNS = 24 + 12 + 11 + 2 + 1 + COUNT + SIGNS
CONTAINER_COLUMNS = 13 + 24 + COUNT + 3
_YEAR = re.compile(r"(?:19|20)\d\d")
_CLOCK = re.compile(r"\d{1,2}:\d\d|\bago\b|\byang lalu\b|\bönce\b")
_SHORT = 80  # characters; only the words of short lines are looked at
_LONG = 15  # words; lines with more are running text
_LONG_STATEMENT = 150  # characters; shorter texts in the data of a page are no content
_HEADINGS = {"h1": 1.0, "h2": 0.8, "h3": 0.6, "h4": 0.5, "h5": 0.4, "h6": 0.3}
_BITS = np.arange(COUNT)


@dataclass(slots=True)
class Containers:
    """The elements around lines; those that hold exactly the same lines count as one.

    `names` has for each container the tags and the class names and the like of its elements.
    """

    names: list[list[Names]]
    inside: Ranges
    """The lines of each container."""
    depths: Floats
    parents: Ints
    own: Ints
    """For each line the container that directly holds it."""


@dataclass(slots=True)
class Features:
    """The numbers of one page: a row a line, and a row a container."""

    lines: Floats
    containers: Floats
    inside: Ranges
    """The lines of each container."""
    own: Ints
    """For each line the container that directly holds it ..."""
    around: Ints
    """... and the one around that."""
    line_words: list[str]
    """For each line its words in lower case if it is short, else nothing."""
    line_marks: list[str]
    container_names: list[list[Names]]
    words: Floats
    """How many words each line has."""


def measure_page(layout: Layout, metadata: Metadata) -> Features:
    """Return the numbers of a page that has at least one line.

    1. Count the kinds of characters of every line. 2. Find the containers. 3. Put each line in its
    place. 4. Hold the lines against what the head of the page says. 5. Sum up the containers.
    """
    texts = [line.text for line in layout.lines]
    kinds = count_kinds(texts)  # 1
    words: Floats = kinds[:, Kind.SPACE] + 1 + kinds[:, Kind.IDEOGRAPH] / np.float32(2)
    around = find_containers(layout)  # 2
    masks = np.array([_senses(each) for each in around.names])
    senses = ((masks[:, None] >> _BITS) & 1).astype(np.float32)
    levels = np.array([_HEADINGS.get(each[-1][0], 0.0) for each in around.names], np.float32)
    heading = levels[around.own]
    looks = _looks(layout, texts, kinds, words)
    within = np.minimum(around.inside.sum_around(senses), 2)
    lines = np.concatenate(
        [
            looks,
            _places(words, heading),
            _facts(texts, metadata, kinds),
            _kin(layout, words),
            heading[:, None],
            within,
            np.tile(np.array(page_signs(metadata), np.float32), (len(texts), 1)),
        ],
        axis=1,
    )  # 3, 4
    sums = _sum_up(around, looks, words, heading)  # 5
    containers = np.concatenate([sums, senses, _count_twins(around)], axis=1)
    return Features(
        lines=lines,
        containers=containers,
        inside=around.inside,
        own=around.own,
        around=around.parents[around.own],
        line_words=[text.lower() if len(text) <= _SHORT else "" for text in texts],
        line_marks=[line.marks for line in layout.lines],
        container_names=around.names,
        words=words,
    )


def find_containers(layout: Layout) -> Containers:
    """Return the containers of a layout; elements around the same lines are one."""
    starts, parents, elements = layout.starts, layout.parents, layout.elements
    ends = [0] * len(starts)
    for number, line in enumerate(layout.lines, 1):
        ends[line.container] = number
    for element in range(len(ends) - 1, 0, -1):
        ends[parents[element]] = max(ends[parents[element]], ends[element])
    names: list[list[Names]] = []
    rows: list[tuple[int, int, int, int]] = []  # start, end, depth, parent
    row_of = [0] * len(starts)
    for number, start in enumerate(starts):
        end, parent = ends[number], parents[number]
        if end <= start:
            continue
        own = layout.names[number] = _names_of(elements[number])
        above = row_of[parent] if parent >= 0 else 0
        if rows and rows[above][0] == start and rows[above][1] == end:
            row_of[number] = above
            names[above].append(own)
        else:
            row_of[number] = len(rows)
            rows.append((start, end, rows[above][2] + 1 if rows else 0, above))
            names.append([own])
    table = np.array(rows, np.int64)
    holders = np.fromiter((row_of[line.container] for line in layout.lines), np.int64)
    inside = Ranges(table[:, 0], table[:, 1], len(layout.lines))
    return Containers(names, inside, table[:, 2].astype(np.float32), table[:, 3], holders)


def name_containers(layout: Layout, lines: list[Line]) -> None:
    """Read the names of the elements around these lines, where they are not known yet."""
    for line in lines:
        number = line.container
        while number >= 0 and number not in layout.names:
            layout.names[number] = _names_of(layout.elements[number])
            number = layout.parents[number]


def _names_of(element: object) -> Names:
    """Return tag, class, id, and role or itemprop of an element, as written."""
    if not isinstance(element, Element):
        return "", "", "", ""
    attr = element.attr
    return (
        element.tag,
        attr("class") or "",
        attr("id") or "",
        attr("role") or attr("itemprop") or "",
    )


def _senses(elements: list[Names]) -> int:
    senses = 0
    for names in elements:
        senses |= senses_of(names)
    return senses


def _looks(layout: Layout, texts: list[str], kinds: Floats, words: Floats) -> Floats:
    """Return what a line looks like by itself."""
    lines = layout.lines
    length = np.maximum(kinds.sum(axis=1), 1)
    letters = kinds[:, Kind.LOWER] + kinds[:, Kind.UPPER] + kinds[:, Kind.IDEOGRAPH]
    letters = np.maximum(letters, 1)
    linked = np.fromiter((line.linked for line in lines), np.float32, len(lines))
    density = np.minimum(linked / length, 1)
    flags = [
        (line.is_verbatim, line.is_cell, text[-1:] in ".!?…。", text[-1:] in ":：", "\n" in text)
        for line, text in zip(lines, texts, strict=True)
    ]
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
        np.array(flags, np.float32),
    )
    return np.column_stack(columns).astype(np.float32)


def _places(words: Floats, heading: Floats) -> Floats:
    """Return where on the page each line stands, by lines, by words and from the last heading."""
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


def _facts(texts: list[str], metadata: Metadata, kinds: Floats) -> Floats:
    """Return what each line has in common with what the page says about itself."""
    title = metadata.title.casefold()
    title_words = set(title.split())
    description = metadata.description.casefold()
    stated = metadata.stated_text.casefold()
    has_stated = len(stated) > _LONG_STATEMENT
    names = [name for name in (metadata.author or "").split(", ") if name]
    day = metadata.date
    seen: dict[str, int] = {}
    rows: list[tuple[float, ...]] = []
    for text, digits in zip(texts, kinds[:, Kind.DIGIT].tolist(), strict=True):
        times = seen[text] = seen.get(text, 0) + 1
        length = len(text)
        summarises = states = False
        if length > 20:
            start = text[:60].casefold()
            summarises, states = start in description, start in stated
        if length > 2 * _SHORT:
            rows.append((times > 1, 0, 0, summarises, states, has_stated, 0, 0, 0, 0))
            continue
        folded = text.casefold()
        shared = 0.0
        if title_words:
            own = folded.split()
            shared = sum([word in title_words for word in own]) / len(own)
        has_year = is_day = has_clock = False
        if digits:
            has_clock = _CLOCK.search(text) is not None
            has_year = digits >= 4 and _YEAR.search(text) is not None
            is_day = has_year and day is not None and parse_date(text) == day
        named = any(name in text for name in names) if names else False
        rows.append(
            (times > 1, folded == title, shared, summarises, states, has_stated,
             named, has_year, is_day, has_clock)
        )  # fmt: skip
    repeated = np.fromiter((min(seen[text], 9) for text in texts), np.float32, len(texts))
    return np.column_stack([np.array(rows, np.float32), np.log(repeated)]).astype(np.float32)


def _kin(layout: Layout, words: Floats) -> Floats:
    """Return how much of the page's running text stands in elements named as a line's is.

    And in elements whose parents are named as its parent is.
    """
    own = [layout.names[line.container] for line in layout.lines]
    above = [layout.names.get(layout.parents[line.container]) for line in layout.lines]
    prose = np.where(words > _LONG, words, 0).tolist()
    total = max(1.0, sum(prose))
    columns = []
    for keys in (own, above):
        mass: dict[object, float] = {}
        for key, amount in zip(keys, prose, strict=True):
            mass[key] = mass.get(key, 0.0) + amount
        columns.append([mass[key] / total for key in keys])
    return np.array(columns, np.float32).T


def _sum_up(around: Containers, looks: Floats, words: Floats, heading: Floats) -> Floats:
    """Return the size, place and mean look of each container."""
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


def _count_twins(around: Containers) -> Floats:
    """Return how many containers of the page and of the same parent bear the same names.

    And how many elements a container stands for.
    """
    numbers: dict[Names, int] = {}
    names = [numbers.setdefault(each[-1], len(numbers)) for each in around.names]
    keys = [
        len(numbers) * above + own
        for above, own in zip(around.parents.tolist(), names, strict=True)
    ]
    siblings, all_over = Counter(keys), Counter(names)
    counts = [
        (siblings[key], all_over[own], len(each))
        for key, own, each in zip(keys, names, around.names, strict=True)
    ]
    logs: Floats = np.log(np.array(counts)).astype(np.float32)
    return logs / np.float32(3)
