"""The elements of a page that repeat: those of one shape that each hold one post."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise
from math import sqrt

from telusur.extract.page.dom import BLOCK_TAGS
from telusur.extract.threads.outline import Extent, PageOutline
from telusur.extract.threads.signs import is_named_name, is_profile_link, stated_time, tells_time

_MOST_MEMBERS = 2_000
_MOST_NAMES = 6
_ENOUGH = 2_000
_DIGITS = re.compile(r"\d+")
_STATES = re.compile(
    r"^(?:odd|even|first|last|alt|clearfix|row|col|container|active)\W?#?$", re.IGNORECASE
)
# What a post counts with neither author nor date, with one of them, with both.
_OF_SIGNS = (0.2, 0.5, 1.0)
_LEAST_LEAD = 60
_LEAST_TEXT = 20
# Of text that is not content, so much counts as one character of content.
_OTHERS_COUNT = 8
_MOST_IN_RUN = 6
_OF_RUNS = 0.8
_OF_NESTED = 0.9
_IF_NAMED = 1.5

Shape = tuple[str, ...]


@dataclass(slots=True)
class Signs:
    """Where a page names people and times; sums, so that those in an element are a difference."""

    times: list[int] = field(default_factory=list)
    people: list[int] = field(default_factory=list)

    def within(self, extent: Extent) -> tuple[int, int]:
        """Return how many times and people an extent names."""
        start, end = extent
        return self.times[end] - self.times[start], self.people[end] - self.people[start]


def find_signs(outline: PageOutline) -> Signs:
    """Return the signs before each element."""
    times = [0] * len(outline.elements)
    people = [0] * len(outline.elements)
    for element, node in enumerate(outline.elements):
        if is_profile_link(node) or is_named_name(node):
            people[element] = 1
        if node.tag == "time" or stated_time(node, month_first=True):
            times[element] = 1
    for text, owner in zip(outline.texts, outline.owners, strict=True):
        if owner >= 0 and tells_time(text.strip()):
            times[owner] = 1
    return Signs(list(accumulate(times, initial=0)), list(accumulate(people, initial=0)))


def find_members(
    outline: PageOutline,
    signs: Signs,
    within: Sequence[Extent] | None = None,
    *,
    named: re.Pattern[str] | None = None,
    unsigned: bool = False,
) -> list[Extent]:
    """Return the parts of a page that hold one post each, in order; empty if nothing repeats.

    `within` limits the search to some parts of the page. A shape whose name matches `named` is
    preferred, and need not repeat; if `unsigned`, it needs neither author nor date.
    """
    best: list[Extent] = []
    most = 0.0
    for shape, elements in _groups(outline, within).items():
        is_named = named is not None and any(map(named.search, shape[1:]))
        least = 1 if is_named else 2
        if not least <= len(elements) <= _MOST_MEMBERS:
            continue
        for found, weight in _extents_of(outline, elements):
            worth, kept = _worth_of(outline, signs, found, unsigned=unsigned and is_named)
            worth *= weight * (_IF_NAMED if is_named else 1)
            if worth > most and len(kept) >= least:
                most, best = worth, kept
    if best and within is None:
        lead = _lead_before(outline, signs, best[0].start)
        best = [lead, *best] if lead is not None else best
    return best


def _groups(outline: PageOutline, within: Sequence[Extent] | None) -> dict[Shape, list[int]]:
    """Return elements by shape, those within others of their shape included."""
    found: dict[Shape, list[int]] = defaultdict(list)
    ranges = within or [Extent(0, len(outline.elements))]
    for element in chain.from_iterable(range(*extent) for extent in ranges):
        if outline.elements[element].tag not in BLOCK_TAGS:
            continue
        if outline.texts_in(outline.extent_of(element)):
            for shape in shapes_of(outline, element):
                found[shape].append(element)
    return found


def _extents_of(outline: PageOutline, elements: list[int]) -> list[tuple[list[Extent], float]]:
    """Return the ways in which elements may be posts, each with its weight.

    Each outermost element is one; or all are, and end where an answer within them begins; or each
    with the elements that follow it.
    """
    outer: list[int] = []
    for element in elements:
        if not outer or element >= outline.ends[outer[-1]]:
            outer.append(element)
    ways = [([outline.extent_of(element) for element in outer], 1.0)]
    if len(outer) < len(elements):
        nexts = [*elements[1:], len(outline.elements)]
        cut = [
            Extent(one, min(outline.ends[one], other))
            for one, other in zip(elements, nexts, strict=True)
        ]
        ways.append((cut, _OF_NESTED))
    elif len(elements) > 1:
        ways.append((_runs(outline, elements), _OF_RUNS))
    return ways


def shapes_of(outline: PageOutline, element: int) -> list[Shape]:
    """Return the shapes of an element: its tag with each class, with its id, with its parent."""
    node = outline.elements[element]
    tag = node.tag
    names = {_DIGITS.sub("#", name) for name in (node.attr("class") or "").split()[:_MOST_NAMES]}
    shapes: list[Shape] = [(tag, name) for name in names if not _STATES.match(name)]
    identity = node.attr("id") or ""
    if any(map(str.isdigit, identity)):
        shapes.append((tag, "#", _DIGITS.sub("#", identity)[:60]))
    if kind := node.attr("itemtype"):
        shapes.append((tag, "type", kind))
    if not names and outline.ends[element] > element + 1:
        first = outline.elements[element + 1]
        shapes.append((tag, "with", first.tag, first.attr("class") or ""))
    shapes.append((tag, "in", str(outline.parents[element])))
    return shapes


def _runs(outline: PageOutline, elements: list[int]) -> list[Extent]:
    """Return each of some siblings together with those that follow it, up to the next."""
    parent = outline.parents[elements[0]]
    if any(outline.parents[element] != parent for element in elements):
        return []
    runs = [Extent(one, other) for one, other in pairwise(elements)]
    last = elements[-1]
    end = outline.ends[last]
    beside = _siblings_in(outline, runs[-1]) - 1 if runs else 0
    limit = outline.ends[parent] if parent >= 0 else len(outline.elements)
    while beside > 0 and end < limit:
        end, beside = outline.ends[end], beside - 1
    return [*runs, Extent(last, end)]


def _siblings_in(outline: PageOutline, extent: Extent) -> int:
    element, count = extent.start, 0
    while element < extent.end and count < _MOST_IN_RUN:
        element, count = outline.ends[element], count + 1
    return count


def _worth_of(
    outline: PageOutline, signs: Signs, members: list[Extent], *, unsigned: bool
) -> tuple[float, list[Extent]]:
    """Return how well these parts are posts, and those of them that are."""
    worth = 0.0
    kept = []
    for member in members:
        content = outline.content_in(member)
        times, people = signs.within(member)
        if not (times or people or unsigned):
            continue
        if not content and outline.others_in(member) < _LEAST_TEXT:
            continue
        kept.append(member)
        size = content + outline.others_in(member) / _OTHERS_COUNT
        certainty = _OF_SIGNS[bool(times) + bool(people)]
        worth += sqrt(min(size, _ENOUGH)) * certainty
    return worth, kept


def _lead_before(outline: PageOutline, signs: Signs, first: int) -> Extent | None:
    """Return the element before the first of the others that holds the post they answer."""
    inside = set(outline.around(first))
    best, most = None, _LEAST_LEAD
    element = 0
    while element < first:
        if element in inside:
            element += 1
            continue
        extent = outline.extent_of(element)
        content = outline.content_in(extent)
        if content > most and any(signs.within(extent)):
            best, most = extent, content
        element = extent.end
    return best
