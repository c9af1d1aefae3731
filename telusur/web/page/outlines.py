"""Groups of blocks, outlined in the stored copy of a page: styles, and a legend to switch them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LABELS = ("title", "author", "date", "content", "other")
_COLOURS = {
    "title": "#b3261e",
    "author": "#9040b8",
    "date": "#1565c0",
    "content": "#1e7d4f",
    "other": "#8b8579",
}
_LEGEND = (
    "[data-label]{box-decoration-break:clone;-webkit-box-decoration-break:clone}"
    "#telusur-legend{all:initial;position:sticky;top:0;z-index:2147483647;display:flex;"
    "flex-wrap:wrap;gap:4px 14px;padding:8px 12px;max-height:30vh;overflow:auto;background:#fff;"
    "color:#1c2326;border-bottom:1px solid #8b867a;"
    "font:14px/1.5 system-ui,'Liberation Sans',Arial,sans-serif}"
    "#telusur-legend label{all:unset;display:flex;align-items:center;gap:6px;cursor:pointer}"
    "#telusur-legend input{all:revert;margin:0}"
    "#telusur-legend i{all:unset;width:12px;height:12px;border-radius:3px}"
    "#telusur-legend b{all:unset;color:#586167}"
)


@dataclass(slots=True, frozen=True)
class OutlineGroup:
    """Blocks of one colour. `key`, of letters and digits, is what blocks name it by."""

    key: str
    text: str
    colour: str
    is_on: bool = True
    is_dashed: bool = False
    # What stands in front of its blocks; empty for the number of the block.
    badge: str = ""


@dataclass(slots=True, frozen=True)
class BlockOutline:
    """The group of each block of a page, by key, and the groups in the order of the legend."""

    groups_of_blocks: Sequence[str]
    groups: Sequence[OutlineGroup]
    # What the groups are, for screen readers.
    name: str = "Labels"


def outline_labels(labels: Sequence[str]) -> BlockOutline:
    """Return the outline of blocks with these labels; other blocks are outlined only on request."""
    groups = [
        OutlineGroup(label, label, _COLOURS[label], label != "other", label == "other")
        for label in LABELS
    ]
    return BlockOutline(labels, groups)


def write_styles(outline: BlockOutline) -> str:
    """Return the styles of the blocks and of the legend."""
    return _LEGEND + "".join(map(_style_of, outline.groups))


def _style_of(group: OutlineGroup) -> str:
    shown = f"body:has(#telusur-{group.key}:checked) [data-label={group.key}]"
    badge = f"'{group.badge}'" if group.badge else "attr(data-block)"
    line = "dashed" if group.is_dashed else "solid"
    return (
        f"{shown}{{outline:2px {line} {group.colour}!important;outline-offset:1px!important}}"
        f"{shown}::before{{content:{badge}!important;all:initial;display:inline-block!important;"
        f"background:{group.colour}!important;color:#fff!important;border-radius:3px!important;"
        "padding:0 4px!important;margin:0 4px 0 0!important;"
        "font:600 11px/1.5 system-ui,'Liberation Sans',Arial,sans-serif!important}"
        f"#telusur-legend i.{group.key}{{background:{group.colour}}}"
    )


def write_legend(outline: BlockOutline) -> str:
    """Return the legend: a check box for each group, with its number of blocks."""
    counts = Counter(outline.groups_of_blocks)
    rows = "".join(
        f'<label><input type="checkbox" id="telusur-{group.key}"'
        f"{' checked' if group.is_on else ''}>"
        f'<i class="{group.key}"></i>{escape(group.text)} <b>{counts[group.key]}</b></label>'
        for group in outline.groups
    )
    return f'<div id="telusur-legend" role="group" aria-label="{escape(outline.name)}">{rows}</div>'
