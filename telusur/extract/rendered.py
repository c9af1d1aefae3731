"""Rendered pages: the contract of a renderer, and the blocks it reports."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from telusur.extract.page.dom import BLOCK_TAGS, MAX_CHARACTERS, MAX_NODES
from telusur.models import Block, Bounds, Page


class FetchPart(Protocol):
    """Fetches the parts of a page; never raises for what a server does."""

    async def __call__(
        self,
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
        is_frame: bool = False,
        is_own: bool = False,
        method: str = "GET",
    ) -> Page:
        """Fetch a part with these headers; a frame is a page of its own, with robots rules.

        Credentials of the crawl (headers and cookies) are sent only if a page asks its own host.
        """
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
# How many characters of an element's own HTML a block keeps.
LONGEST_HTML = 2_000
MOST_BLOCKS = 20_000
# How many frames of a page are loaded and read.
MOST_FRAMES = 10
# Blocks found later than this have text and path, but no look.
LOOK_MILLISECONDS = 2_000


@dataclass(slots=True, frozen=True)
class RenderLimits:
    """The limits of rendering one page."""

    # For loading and rendering; after that the page is read as it is.
    seconds: float = 10.0
    # A page is finished after this long without requests and changes.
    quiet_seconds: float = 0.4
    # A script that runs this long without a break is stopped.
    answer_seconds: float = 3.0
    # For opening, reading and closing; a browser that takes longer hangs.
    spare_seconds: float = 15.0
    requests: int = 150
    bytes: int = 20_000_000
    characters: int = MAX_CHARACTERS


@dataclass(slots=True)
class Rendered:
    """A page after its scripts ran; without `html`, `reason` says why there is none."""

    # Where the page says it is now; scripts may change that without leaving it.
    url: str
    html: str = ""
    status: int | None = None
    reason: str = ""
    blocks: list[Block] = field(default_factory=list)
    # Where a script wanted to navigate; it was not followed.
    moved_to: str = ""
    requests: int = 0
    # Requests that the gate refused, with the reason.
    refused: dict[str, str] = field(default_factory=dict)
    bytes: int = 0
    seconds: float = 0.0


def collecting_options(limits: RenderLimits, *, blocks: bool) -> dict[str, Any]:
    """Return the options of the script in the page: our definition of a block, and the limits."""
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
    """Return the blocks that the script in the page reported; invalid ones are skipped."""
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
    """Return text that can be stored: no NULs, no lone surrogates."""
    text = str(value).replace("\x00", "")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
