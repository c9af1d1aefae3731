"""The lines of a page as blocks: each with its label, its place, and the elements around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from telusur.extract.dom import Layout
from telusur.extract.element_names import Names
from telusur.models import Block

_MAX_DEPTH = 200
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST_CLASSES = 3


@dataclass(slots=True)
class _Sources:
    """What blocks are made of; nothing of it holds on to the tree of the page, which is large."""

    texts: list[str]
    labels: list[str]
    linked: list[int]
    styles: list[str]
    containers: list[int]
    parents: list[int]
    names: dict[int, Names]


@dataclass(slots=True, eq=False)
class _Place:
    """Where an element stands: its path as tags and as selectors."""

    path: str
    selectors: str
    depth: int


class Blocks(Sequence[Block]):
    """The blocks of a page, made when somebody looks at them: most who read a page never do."""

    def __init__(self, layout: Layout, labels: list[str]) -> None:
        lines = layout.lines
        self._blocks: list[Block] | None = None
        self._sources = _Sources(
            [line.text for line in lines],
            labels,
            [line.linked for line in lines],
            [line.style for line in lines],
            [line.container for line in lines],
            layout.parents,
            layout.names,
        )

    def _made(self) -> list[Block]:
        if self._blocks is None:
            self._blocks = _make_blocks(self._sources)
        return self._blocks

    def __len__(self) -> int:
        return len(self._sources.texts)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        return self._made()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._made() == list(other)

    def __reduce__(self) -> tuple[type[list[Block]], tuple[list[Block]]]:
        return list, (self._made(),)

    def __repr__(self) -> str:
        return repr(self._made())

    __hash__ = None  # type: ignore[assignment]


def _make_blocks(sources: _Sources) -> list[Block]:
    places: dict[int, _Place] = {}
    blocks = []
    heading = ""
    for number, text in enumerate(sources.texts):
        container = sources.containers[number]
        place = places.get(container) or _place_of(container, sources, places)
        tag, classes, identity, _ = sources.names[container]
        linked = sources.linked[number]
        blocks.append(
            Block(
                text=text,
                label=sources.labels[number],
                tag_path=place.path,
                element_id=identity,
                classes=classes,
                link_density=min(1.0, linked / len(text)) if linked else 0.0,
                heading=heading,
                style=sources.styles[number],
                selectors=place.selectors,
            )
        )
        if tag in _HEADINGS:
            heading = text
    return blocks


def _place_of(number: int, sources: _Sources, known: dict[int, _Place]) -> _Place:
    """Return the place of a container, finding those of its ancestors on the way."""
    missing = []
    while number >= 0 and number not in known:
        missing.append(number)
        number = sources.parents[number]
    place = known[number] if number >= 0 else _Place("", "", 0)
    for inner in reversed(missing):
        place = known[inner] = _place_in(sources.names[inner], place)
    return place


def _place_in(names: Names, around: _Place) -> _Place:
    tag = names[0]
    if not tag or around.depth > _MAX_DEPTH:
        return around
    selector = _selector_of(names)
    if not around.path:
        return _Place(tag, selector, 1)
    return _Place(f"{around.path}/{tag}", f"{around.selectors} > {selector}", around.depth + 1)


def _selector_of(names: Names) -> str:
    """Return an element as a selector: tag, id and first classes."""
    tag, classes, identity, _ = names
    selector = f"{tag}#{identity}" if identity else tag
    return ".".join([selector, *classes.split()[:_MOST_CLASSES]])
