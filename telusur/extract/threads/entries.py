"""What one post says, who wrote it, when, and its link: read from a part of the page.

The parts of all posts are alike, so each question is answered for all of them together: the element
that holds the text of most posts holds that of the others.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from turbohtml import Element

from telusur.extract.page.resolve import resolve_url
from telusur.extract.threads.outline import Extent, PageOutline
from telusur.extract.threads.shapes import Shape, shapes_of
from telusur.extract.threads.signs import (
    is_named_name,
    is_profile_link,
    may_be_name,
    read_time,
    stated_time,
    tells_time,
)
from telusur.models import Post

# Text that is left out is worse than a name or a button that comes with it.
_CONTENT_COUNTS = 1.3
_FACT_COSTS = 30
# What stands beside author or time on their line: "said,".
_LONGEST_REST = 25
_ENOUGH_OF_ONE = 1000
_MOST_RANKS = 3
# Rows below a post that are no part of it, and in how many posts they stand at least.
_MOST_BUTTONS = 4
_FEWEST_ALIKE = 3
_NAME_TAGS = frozenset(("a", "b", "strong", "dt", "h3", "h4", "h5"))
_MOST_TEXTS_OF_NAME = 3
_LONGEST_ROW = 200
_MOST_INSIDE = 10
_LONGEST_TEXT = 200_000
_SAID = re.compile(
    r"^\W*(?:(?:posted |written |asked |answered )?by|von|par|por|de|da|door|av|от|"
    r"by:|author:|autor:)\s+"
    r"|\s*(?:says?|said|wrote|writes|schrieb|schreibt|a écrit|dice|dit|scrive|пишет|:|,)\W*$",
    re.IGNORECASE,
)
_POST_LINK = re.compile(
    r"#.*\d|[?&]p(?:id|ost)?=\d|/posts?[-/]?\d|permalink|comment-?\d", re.IGNORECASE
)


@dataclass(slots=True, frozen=True)
class Reading:
    """How the page is to be read: the base of its links, and the order of days and months."""

    base: str
    month_first: bool | None


@dataclass(slots=True, frozen=True)
class PlacedPost:
    """A post, and the elements that hold its text."""

    post: Post
    elements: list[Element]


def read_entries(
    outline: PageOutline, members: list[Extent], how: Reading, *, has_lead: bool = False
) -> list[PlacedPost]:
    """Return the posts that parts of a page hold; those without a text are left out.

    With a lead, the first may look different from the others.
    """
    names = _find_names(outline, members)
    times = _find_times(outline, members, how)
    body = _choose_body(outline, members, names, times)
    entries: list[PlacedPost] = []
    for number, member in enumerate(members):
        name, time = names.get(number), times.get(number)
        inner = _bodies_in(outline, member, body)
        if not inner and number == 0 and has_lead:
            inner = [member]
        text = _text_of(outline, inner, [slot.element for slot in (name, time) if slot])
        if text:
            url = name.url if name else None
            post = Post(
                text[:_LONGEST_TEXT],
                name.value if name else None,
                time.value if time else None,
                _find_link(outline, member, how),
                resolve_url(how.base, url) if url else None,
            )
            entries.append(PlacedPost(post, _elements_in(outline, inner)))
    return _without_buttons(entries)


def _without_buttons(entries: list[PlacedPost]) -> list[PlacedPost]:
    """Drop the last rows of posts as long as most posts end with the same few words: Reply."""
    for _ in range(_MOST_BUTTONS):
        ends = Counter(entry.post.text.rpartition("\n")[2] for entry in entries)
        row, count = ends.most_common(1)[0] if ends else ("", 0)
        if count < _FEWEST_ALIKE or count < len(entries) / 2 or len(row) > _LONGEST_REST:
            break
        entries = [_without_last(entry, row) for entry in entries]
    return entries


def _without_last(entry: PlacedPost, row: str) -> PlacedPost:
    before, _, last = entry.post.text.rpartition("\n")
    if last != row or not before:
        return entry
    return PlacedPost(entry.post._replace(text=before), entry.elements)


def _elements_in(outline: PageOutline, extents: list[Extent]) -> list[Element]:
    """Return the outermost elements of extents."""
    found = []
    for extent in extents:
        element = extent.start
        while element < extent.end:
            found.append(outline.elements[element])
            element = outline.ends[element]
    return found


def _inner_shapes(outline: PageOutline, member: Extent, element: int) -> list[Shape]:
    """Return the shapes of an element by which it is found in other posts, too."""
    found = [shape for shape in shapes_of(outline, element) if shape[1] != "in"]
    path = []
    for each in outline.around(element):
        path.append(outline.elements[each].tag)
        if each <= member.start or len(path) > 12:
            break
    return [*found, ("path", *path)]


def _choose_body(
    outline: PageOutline, members: list[Extent], *slots: dict[int, "Slot"]
) -> Shape | None:
    """Return the shape of the elements that hold the texts of the posts, and little else."""
    worth: dict[Shape, float] = defaultdict(float)
    for number, member in enumerate(members):
        known = [found[number].element for found in slots if number in found]
        here: dict[Shape, float] = {}
        ends: dict[Shape, int] = {}
        for element in range(member.start, member.end):
            extent = Extent(element, min(outline.ends[element], member.end))
            content = outline.content_in(extent)
            others = outline.others_in(extent)
            if not content and not others:
                continue
            facts = sum(extent.start <= each < extent.end for each in known)
            value = _CONTENT_COUNTS * content - others - _FACT_COSTS * facts
            for shape in _inner_shapes(outline, member, element):
                if element >= ends.get(shape, 0):
                    ends[shape] = extent.end
                    # Of elements with the same text, the innermost.
                    here[shape] = here.get(shape, 0) + value + len(shape) / 100
        # A long post must not outweigh all others.
        size = outline.content_in(member) + outline.others_in(member)
        scale = min(1.0, _ENOUGH_OF_ONE / max(1, size))
        for shape, value in here.items():
            worth[shape] += scale * value
    best = max(worth, key=lambda shape: worth[shape], default=None)
    return best if best is not None and worth[best] > 0 else None


def _bodies_in(outline: PageOutline, member: Extent, body: Shape | None) -> list[Extent]:
    found = []
    element = member.start
    while body is not None and element < member.end:
        if body in _inner_shapes(outline, member, element):
            end = min(outline.ends[element], member.end)
            found.append(Extent(element, end))
            element = end
        else:
            element += 1
    return found


def _text_of(outline: PageOutline, bodies: list[Extent], facts: list[int]) -> str:
    """Return the rows of a post, without signature, notes of changes, author and time."""
    out = outline.beside | {
        number for each in facts for number in outline.texts_in(outline.extent_of(each))
    }
    rows: dict[int, list[str]] = {}
    for extent in bodies:
        for number in outline.texts_in(extent):
            if number not in out:
                pieces = rows.setdefault(outline.lines[number], [])
                pieces += ["\n"] if number in outline.breaks else []
                text = outline.texts[number]
                is_verbatim = outline.lines[number] in outline.verbatim
                pieces.append(text if is_verbatim else text.replace("\n", " "))
    fact_lines = {
        outline.lines[number]
        for each in facts
        for number in outline.texts_in(outline.extent_of(each))
    }
    joined = []
    for line, pieces in rows.items():
        for written in "".join(pieces).replace("\xad", "").split("\n"):
            row = written.rstrip() if line in outline.verbatim else " ".join(written.split())
            if row and not (line in fact_lines and len(row) <= _LONGEST_REST):
                joined.append(row)
    return "\n".join(joined)


class Slot(NamedTuple):
    """Something found in a post: where, what, how sure, and the address it links to."""

    element: int
    value: str
    weight: float = 1.0
    url: str | None = None


Slots = dict[Shape, dict[int, Slot]]


def _gather(
    outline: PageOutline, members: list[Extent], look: Callable[[int], Slot | None]
) -> Slots:
    """Return for each shape the first slot of it in each post."""
    found: Slots = defaultdict(dict)
    for number, member in enumerate(members):
        for element in range(member.start, member.end):
            slot = look(element)
            if slot is None:
                continue
            for shape in _inner_shapes(outline, member, element):
                found[shape].setdefault(number, slot)
    return found


def _combine(found: Slots, worth: Callable[[dict[int, Slot]], float]) -> dict[int, Slot]:
    """Return a slot for each post: of the best shape, else of the next best."""
    ranked = sorted(found.values(), key=worth, reverse=True)
    chosen: dict[int, Slot] = {}
    for slots in ranked[:_MOST_RANKS]:
        for number, slot in slots.items():
            chosen.setdefault(number, slot)
    return chosen


def _find_names(outline: PageOutline, members: list[Extent]) -> dict[int, Slot]:
    """Return the author of each post."""

    def worth(slots: dict[int, Slot]) -> float:
        different = len({slot.value for slot in slots.values()})
        is_one_word = len(members) > 2 and different == 1
        variety = 0.3 if is_one_word else 0.9 if different == 1 else 1.0
        return variety * sum(slot.weight for slot in slots.values())

    return _combine(_gather(outline, members, lambda element: _name_at(outline, element)), worth)


def _name_at(outline: PageOutline, element: int) -> Slot | None:
    """Return the name of an author that an element may hold, and the address of their page."""
    node = outline.elements[element]
    is_profile, is_named = is_profile_link(node), is_named_name(node)
    if not (is_profile or is_named or node.tag in _NAME_TAGS):
        return None
    texts = outline.texts_in(outline.extent_of(element))
    if not 0 < len(texts) <= _MOST_TEXTS_OF_NAME:
        return None
    if any(len(outline.texts[number]) > _LONGEST_ROW for number in texts):
        return None
    text = _SAID.sub("", outline.text_of(element))
    if not may_be_name(text) or tells_time(text):
        return None
    url = node.attr("href") if node.tag == "a" else None
    if url is None:
        inner = outline.elements[element : min(outline.ends[element], element + _MOST_INSIDE)]
        url = next((each.attr("href") for each in inner if each.tag == "a"), None)
    weight = 0.2 + 1.5 * is_profile + 1.0 * is_named
    return Slot(element, text, weight / (1 + 0.5 * (len(texts) - 1)), url)


def _find_times(outline: PageOutline, members: list[Extent], how: Reading) -> dict[int, Slot]:
    """Return when each post was written."""
    own: dict[int, list[str]] = defaultdict(list)
    for text, owner in zip(outline.texts, outline.owners, strict=True):
        own[owner].append(text)

    def look(element: int) -> Slot | None:
        stated = stated_time(outline.elements[element], month_first=how.month_first)
        if stated:
            return Slot(element, stated)
        text = " ".join(own.get(element, ()))
        if not 5 < len(text) <= _LONGEST_ROW or not any(map(str.isdigit, text)):
            return None
        shown = read_time(text, month_first=how.month_first)
        return Slot(element, shown) if shown else None

    def worth(slots: dict[int, Slot]) -> float:
        values = [slots[number].value for number in sorted(slots)]
        pairs = list(pairwise(values))
        upwards = sum(one <= other for one, other in pairs)
        ordered = max(upwards, len(pairs) - upwards) / len(pairs) if pairs else 0.5
        with_time = sum("T" in value for value in values) / len(values)
        return len(values) * (0.3 + ordered + 0.2 * with_time)

    return _combine(_gather(outline, members, look), worth)


def _find_link(outline: PageOutline, member: Extent, how: Reading) -> str | None:
    """Return the address of a post itself."""
    for element in range(member.start, member.end):
        node = outline.elements[element]
        href = node.attr("href") if node.tag == "a" else None
        if href and _POST_LINK.search(href[:500]) and not is_profile_link(node):
            page = resolve_url(how.base, href) if not href.startswith("#") else how.base
            if page:
                fragment = href.partition("#")[2]
                return f"{page.partition('#')[0]}#{fragment}" if fragment else page
    return None
