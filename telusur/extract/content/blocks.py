"""The lines of a page as blocks, each with its label, position and surrounding elements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

from telusur.extract.content.element_names import Names
from telusur.extract.page.layout import Layout
from telusur.models import Block

_MAX_DEPTH = 200
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST_CLASSES = 3


@dataclass(slots=True, eq=False)
class _Place:
    """The position of an element: its path as tags and as selectors."""

    path: str
    selectors: str
    depth: int


class Blocks(Sequence[Block]):
    """The blocks of a page, made on first access: most callers never need them."""

    def __init__(
        self,
        layout: Layout,
        labels: list[str],
        explain: Callable[[int], str] | None = None,
    ) -> None:
        self._blocks: list[Block] | None = None
        self._layout = layout
        self._labels = labels
        self._explain = explain

    def _made(self) -> list[Block]:
        if self._blocks is None:
            self._blocks = _make_blocks(self._layout, self._labels)
            if self._explain is not None:
                for line, block in enumerate(self._blocks):
                    block.on_site = self._explain(line)
        return self._blocks

    def __len__(self) -> int:
        return len(self._layout.texts)

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


def _make_blocks(layout: Layout, labels: list[str]) -> list[Block]:
    names_of, parents = layout.names_of.tolist(), layout.parents.tolist()
    names = [layout.names[number] for number in names_of]
    linked = layout.linked.tolist()
    places: dict[int, _Place] = {}
    blocks = []
    heading = ""
    for line, container in enumerate(layout.containers.tolist()):
        text = layout.texts[line]
        place = places.get(container) or _place_of(container, names, parents, places)
        tag, classes, identity, _ = names[container]
        blocks.append(
            Block(
                text=text,
                label=labels[line],
                tag_path=place.path,
                element_id=identity,
                classes=classes,
                link_density=min(1.0, linked[line] / len(text)) if linked[line] else 0.0,
                heading=heading,
                style=layout.styles.get(container, ""),
                selectors=place.selectors,
            )
        )
        if tag in _HEADINGS:
            heading = text
    return blocks


def _place_of(
    number: int, names: list[Names], parents: list[int], known: dict[int, _Place]
) -> _Place:
    """Return the place of a container, finding those of its ancestors on the way."""
    missing = []
    while number >= 0 and number not in known:
        missing.append(number)
        number = parents[number]
    place = known[number] if number >= 0 else _Place("", "", 0)
    for inner in reversed(missing):
        place = known[inner] = _place_in(names[inner], place)
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
