"""What a browser makes of a page: the contract of a renderer, and the blocks it reports."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from telusur.extract.dom import BLOCK_TAGS, MAX_CHARACTERS, MAX_NODES
from telusur.models import Block, Bounds, Page


class FetchPart(Protocol):
    """Fetches what a page needs besides itself; never raises for what happens."""

    async def __call__(
        self, url: str, headers: Sequence[tuple[str, str]] = (), *, is_frame: bool = False
    ) -> Page:
        """Fetch a part with these headers; a frame is a page of its own, with robots rules."""
        ...


# Look of the text: taken from the element that holds most of the block's characters.
TEXT_PROPERTIES = (
    *("color", "font-family", "font-size", "font-style", "font-variant-caps", "font-weight"),
    *("letter-spacing", "line-height", "text-align", "text-decoration-line", "text-indent"),
    *("text-transform", "white-space", "word-spacing", "direction", "visibility"),
)
# Look of the box: taken from the block element itself.
BOX_PROPERTIES = (
    *("display", "position", "float", "clear", "z-index", "opacity", "overflow-x", "overflow-y"),
    *("width", "height", "max-width", "box-sizing", "vertical-align", "list-style-type", "cursor"),
    *("margin-top", "margin-right", "margin-bottom", "margin-left"),
    *("padding-top", "padding-right", "padding-bottom", "padding-left"),
    *("border-top-width", "border-right-width", "border-bottom-width", "border-left-width"),
    *("background-color", "background-image", "border-top-style", "column-count"),
)
LONGEST_HTML = 2_000
"""Characters of an element's own HTML that a block keeps."""
MOST_BLOCKS = 20_000
MOST_FRAMES = 10
"""Frames of a page that are loaded and read."""
LOOK_MILLISECONDS = 2_000
"""Blocks found later than this have text and place in the tree, but no look."""


@dataclass(slots=True, frozen=True)
class RenderLimits:
    """What one page may take."""

    seconds: float = 10.0
    """For loading and drawing; then what is there counts."""
    quiet_seconds: float = 0.4
    """A page is finished when nothing was asked for and nothing changed for so long."""
    answer_seconds: float = 3.0
    """A script that runs so long at a stretch is stopped."""
    spare_seconds: float = 15.0
    """For opening, reading and closing; a browser that takes longer hangs."""
    requests: int = 150
    bytes: int = 20_000_000
    characters: int = MAX_CHARACTERS


@dataclass(slots=True)
class Rendered:
    """A page after its scripts ran; without `html`, `reason` tells why there is none."""

    url: str
    """Where the page says it is now; scripts may change that without leaving it."""
    html: str = ""
    status: int | None = None
    reason: str = ""
    blocks: list[Block] = field(default_factory=list)
    moved_to: str = ""
    """Where a script wanted to lead the reader; nobody went there."""
    requests: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    """What was asked for and not given, with the reason, as far as the gate refused it."""
    bytes: int = 0
    seconds: float = 0.0


class Renderer(Protocol):
    """Something that runs the scripts of a page."""

    async def render(self, page: Page, fetch: FetchPart | None, *, blocks: bool) -> Rendered:
        """Draw a page that was fetched; without `fetch` it gets nothing from the network."""
        ...


def collecting_options(limits: RenderLimits, *, blocks: bool) -> dict[str, Any]:
    """Return what the script in the page is told: our notion of a block, and the limits."""
    return {
        "blocks": blocks,
        "blockTags": sorted(BLOCK_TAGS),
        "textProperties": TEXT_PROPERTIES,
        "boxProperties": BOX_PROPERTIES,
        "longestHtml": LONGEST_HTML,
        "mostBlocks": MOST_BLOCKS,
        "mostFrames": MOST_FRAMES,
        "mostNodes": MAX_NODES,
        "mostCharacters": limits.characters,
        "lookMilliseconds": LOOK_MILLISECONDS,
    }


def read_blocks(records: Any) -> list[Block]:
    """Return the blocks that the script in the page reported; what is no block is left out."""
    blocks = []
    for record in records if isinstance(records, list) else ():
        with suppress(KeyError, TypeError, ValueError):
            blocks.append(_read_block(record))
    return blocks


def _read_block(record: dict[str, Any]) -> Block:
    text, bounds, css = _clean(record["text"]), record["bounds"], record["css"]
    linked = int(record["linked"])
    return Block(
        text=text,
        tag_path=_clean(record["path"]),
        element_id=_clean(record["id"]),
        classes=_clean(record["classes"]),
        link_density=min(1.0, linked / max(1, len(text))),
        heading=_clean(record["heading"]),
        style=_clean(record["style"]),
        selectors=_clean(record["selectors"]),
        html=_clean(record["html"]),
        bounds=Bounds(*map(float, bounds)) if bounds is not None else None,
        css={str(name): _clean(value) for name, value in css.items()} if css is not None else None,
        is_hidden=bool(record["hidden"]),
    )


def _clean(value: Any) -> str:
    """Return text that can be stored: no NULs, no halves of characters."""
    text = str(value).replace("\x00", "")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
