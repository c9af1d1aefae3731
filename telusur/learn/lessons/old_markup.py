"""Writes a page as it would have been written twenty years ago: tables, line breaks, no names.

Sections become cells of tables, paragraphs and items of lists become rows of one text, headings
become bold paragraphs. The lines and elements of the page suffice; its source is not needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.content.element_names import Names
from telusur.extract.page.layout import Layout

_SECTIONS = frozenset(
    ("div", "article", "main", "section", "aside", "header", "footer", "nav", "figure", "hgroup")
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_INLINE = frozenset(("a", "b", "strong", "code", "small"))
_TABLE = ("table", "tbody", "tr")
_MOST_MARKS = 100


@dataclass(slots=True, frozen=True)
class Habits:
    """What the author of such a page does."""

    # Separates paragraphs, and items of lists, by <br>.
    breaks_text: bool
    breaks_lists: bool
    # Writes headings as bold paragraphs.
    has_bold_headings: bool
    # Gives no class, id or role.
    is_nameless: bool
    # Makes a table of this share of the sections that have other elements in them.
    tables: float

    @classmethod
    def by_chance(cls, rng: np.random.Generator) -> "Habits":
        """Return the habits of some author."""
        chances = rng.random(4).tolist()
        return cls(
            breaks_text=chances[0] < 0.5,
            breaks_lists=chances[1] < 0.5,
            has_bold_headings=chances[2] < 0.7,
            is_nameless=chances[3] < 0.7,
            tables=float(rng.uniform(0.2, 0.9)),
        )


@dataclass(slots=True, frozen=True)
class OldPage:
    """A page in old markup, and for each of its former lines the number of the present one."""

    layout: Layout
    line_of: Ints

    def mean_of(self, values: Floats, words: Floats) -> Floats:
        """Return values of the former lines for the present ones: means by words."""
        weights = np.maximum(words, 1)
        sums = np.bincount(self.line_of, values * weights)
        means: Floats = (sums / np.bincount(self.line_of, weights)).astype(np.float32)
        return means

    def first_of(self, values: Floats) -> Floats:
        """Return the value of the first former line of each present one."""
        return values[np.diff(self.line_of, prepend=-1) > 0]


def in_old_markup(
    layout: Layout, habits: Habits, kinds: Sequence[int], rng: np.random.Generator
) -> OldPage:
    """Return a page in old markup.

    1. Join neighbouring lines of the same kind (one number per line; below zero for lines that stay
    alone). 2. Set sections in tables. 3. Forget names, and the tags of later years.
    """
    rows = _rows_of(layout, habits, kinds)  # 1
    line_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    layout = _join_rows(layout, rows, line_of)
    layout = _set_in_tables(layout, habits.tables, rng)  # 2
    marks = [_old_marks(mark, tag, habits)
             for mark, tag in zip(layout.marks, layout.line_tags(), strict=True)]  # fmt: skip
    names = [_old_names(each, habits) for each in layout.names]  # 3
    return OldPage(replace(layout, names=names, marks=marks, styles={}), line_of)


def _rows_of(layout: Layout, habits: Habits, kinds: Sequence[int]) -> list[list[int]]:
    """Return the lines of each line to be."""
    joining = {tag for tag, is_joined in (("p", habits.breaks_text), ("li", habits.breaks_lists))
               if is_joined}  # fmt: skip
    if habits.breaks_text and habits.has_bold_headings:
        joining |= _HEADINGS
    containers, parents, tags = (
        layout.containers.tolist(), layout.parents.tolist(), layout.line_tags()
    )  # fmt: skip
    counts = np.bincount(layout.containers, minlength=len(parents))
    with_children = set(parents)
    rows: list[list[int]] = []
    key_before: object = None
    for line, container in enumerate(containers):
        is_whole = counts[container] == 1 and container not in with_children
        may_join = is_whole and tags[line] in joining and kinds[line] >= 0
        key = (parents[container], kinds[line], tags[line] == "li") if may_join else None
        if key is not None and key == key_before and not layout.verbatim[line]:
            rows[-1].append(line)
        else:
            rows.append([line])
        key_before = None if layout.verbatim[line] else key
    return rows


def _join_rows(layout: Layout, rows: list[list[int]], line_of: Ints) -> Layout:
    firsts = np.array([row[0] for row in rows])
    containers = layout.containers[firsts].copy()
    for number, row in enumerate(rows):
        if len(row) > 1:
            containers[number] = layout.parents[containers[number]]
    lines_before = np.append(line_of, len(rows)).astype(np.int32)
    return replace(
        layout,
        texts=["\n".join([layout.texts[line] for line in row]) for row in rows],
        marks=["".join([layout.marks[line] for line in row])[:_MOST_MARKS] for row in rows],
        containers=containers,
        linked=np.add.reduceat(layout.linked, firsts).astype(np.int32),
        verbatim=layout.verbatim[firsts],
        starts=lines_before[layout.starts],
    )


def _set_in_tables(layout: Layout, share: float, rng: np.random.Generator) -> Layout:
    """Return the layout with a share of its sections as cells, each in a table of its own."""
    numbers = {each: number for number, each in enumerate(layout.names)}
    parents = layout.parents.tolist()
    with_children = set(parents)
    chances = rng.random(len(parents)).tolist()
    elements: list[tuple[int, int, int]] = []
    cell_of = [0] * len(parents)
    rows = zip(parents, layout.starts.tolist(), layout.names_of.tolist(), strict=True)
    for element, (parent, start, name) in enumerate(rows):
        own = layout.names[name]
        chain = [own]
        if own[0] in _SECTIONS and element in with_children and chances[element] < share:
            chain = [*((tag, "", "", "") for tag in _TABLE), ("td", *own[1:])]
        above = cell_of[parent] if parent >= 0 else -1
        for each in chain:
            elements.append((above, start, numbers.setdefault(each, len(numbers))))
            above = len(elements) - 1
        cell_of[element] = above
    table = np.array(elements, np.int32)
    return replace(
        layout, names=list(numbers), parents=table[:, 0].copy(), starts=table[:, 1].copy(),
        names_of=table[:, 2].copy(), containers=np.array(cell_of, np.int32)[layout.containers],
    )  # fmt: skip


def _old_marks(marks: str, tag: str, habits: Habits) -> str:
    if habits.is_nameless:
        marks = "".join([f" {word}" for word in marks.split() if word in _INLINE])
    return f"{marks} b" if habits.has_bold_headings and tag in _HEADINGS else marks


def _old_names(names: Names, habits: Habits) -> Names:
    tag, classes, identity, role = names
    if tag in _SECTIONS:
        tag = "div"
    elif tag == "figcaption" or (tag in _HEADINGS and habits.has_bold_headings):
        tag = "p"
    return (tag, "", "", "") if habits.is_nameless else (tag, classes, identity, role)
