"""Combines what browser and parser know about the same blocks: look, position and label."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from telusur.extract.content.model import Model
from telusur.extract.document import extract_document
from telusur.extract.rendered import Rendered
from telusur.models import Block, Document

_MOST_COMPARED = 200  # partly hidden lines are rare, but a hostile page could have many


def extract_drawn(
    rendered: Rendered, *, content: str = "article", model: Model | None = None
) -> Document:
    """Extract a rendered page; its blocks have labels, and the browser's bounds and CSS."""
    document = extract_document(rendered.html, rendered.url, content=content, model=model)
    if rendered.blocks:
        document.blocks = label_drawn(rendered.blocks, document.blocks)
    return document


def label_drawn(drawn: Sequence[Block], read: Sequence[Block]) -> list[Block]:
    """Return the blocks of the browser with the labels of the parser's blocks.

    Blocks are matched by path and text, then by text alone, then if one contains the visible part
    of the other. Blocks without a match are invisible and labelled "other".
    """
    labels = ["other"] * len(drawn)
    free = list(range(len(drawn)))
    missing = list(read)
    for key in (_path_and_text, _text):
        found, missing = _pair(drawn, free, missing, key)
        for number, block in found:
            labels[number] = block.label
        known = {number for number, _ in found}
        free = [number for number in free if number not in known]
    for number, block in _pair_parts(drawn, free, missing):
        labels[number] = block.label
    return [replace(block, label=label) for block, label in zip(drawn, labels, strict=True)]


def _pair(
    drawn: Sequence[Block],
    free: list[int],
    wanted: list[Block],
    key: Callable[[Block], Hashable],
) -> tuple[list[tuple[int, Block]], list[Block]]:
    """Return pairs of equal blocks, in order where there are several, and those without one."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for number in free:
        places[key(drawn[number])].append(number)
    counts = Counter(map(key, wanted))
    for same, numbers in places.items():
        numbers.sort(key=lambda number: drawn[number].is_hidden)  # visible blocks first ...
        numbers[counts[same] :] = []
        numbers.sort(reverse=True)  # ... and in order, taken from the end of the list
    found: list[tuple[int, Block]] = []
    missing = []
    for block in wanted:
        numbers = places.get(key(block), [])
        if numbers:
            found.append((numbers.pop(), block))
        else:
            missing.append(block)
    return found, missing


def _pair_parts(
    drawn: Sequence[Block], free: list[int], wanted: list[Block]
) -> list[tuple[int, Block]]:
    """Return pairs in which the parser has a part of the browser's text: the rest is hidden."""
    candidates = [number for number in free if not drawn[number].is_hidden][:_MOST_COMPARED]
    found = []
    for block in wanted[:_MOST_COMPARED]:
        own = _text(block)
        for number in candidates:
            if own and own in _text(drawn[number]):
                found.append((number, block))
                candidates.remove(number)
                break
    return found


def _path_and_text(block: Block) -> Hashable:
    return block.tag_path, _text(block)


def _text(block: Block) -> str:
    """Return the text without white space, which the two treat differently."""
    return "".join(block.text.split())
