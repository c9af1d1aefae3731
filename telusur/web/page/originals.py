"""The stored copy in its original layout, and the same with its blocks outlined."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from telusur.extract.document import read_page
from telusur.extract.writing.sanitize import SafePiece, read_sheets, write_harmless
from telusur.reports.page_details import as_text
from telusur.web.frame.text import clean, clean_line
from telusur.web.page.copies import SANDBOX
from telusur.web.page.marking import Ranges, write_marked
from telusur.web.page.reader import StoredPageReader
from telusur.web.page.stored_parts import stored_parts

LABELS = ("title", "author", "date", "content", "other")
# Styles of the page are allowed, because they cannot load anything; all else is forbidden. Images
# are embedded in the page.
ORIGINAL_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors 'self'; sandbox {SANDBOX}"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
_DOCTYPE = re.compile(r"[\s\ufeff]*(?:<!--.*?-->\s*|<\?[^>]*>\s*)*<!doctype", re.I | re.S)

# Before the page's own style sheets: browser defaults. After them: rules that no page may change.
_BEFORE = ":root{color-scheme:light;background:#fff;color:#000}img{max-width:100%}"
_AFTER = (
    "html,body{opacity:1!important;visibility:visible!important}"
    "html{overflow:auto!important}body{overflow:visible!important;position:static!important}"
    "mark{background:#fde9a9!important;color:#1c2326!important}"
    ".telusur-field,.telusur-button{display:inline-block;min-width:3em;min-height:1.2em;"
    "padding:1px 6px;border:1px solid #888;font:13px sans-serif}"
    ".telusur-button{background:#eee;color:#222}.telusur-field{min-width:9em;color:#767676}"
)
_COLOURS = {
    "title": "#b3261e",
    "author": "#9040b8",
    "date": "#1565c0",
    "content": "#1e7d4f",
    "other": "#8b8579",
}
_BLOCKS = (
    "[data-label]{box-decoration-break:clone;-webkit-box-decoration-break:clone}"
    "#telusur-legend{all:initial;position:sticky;top:0;z-index:2147483647;display:flex;"
    "flex-wrap:wrap;gap:4px 14px;padding:8px 12px;background:#fff;color:#1c2326;"
    "border-bottom:1px solid #8b867a;font:14px/1.5 system-ui,'Liberation Sans',Arial,sans-serif}"
    "#telusur-legend label{all:unset;display:flex;align-items:center;gap:6px;cursor:pointer}"
    "#telusur-legend input{all:revert;margin:0}"
    "#telusur-legend i{all:unset;width:12px;height:12px;border-radius:3px}"
    "#telusur-legend b{all:unset;color:#586167}"
) + "".join(
    f"body:has(#telusur-{label}:checked) [data-label={label}]"
    f"{{outline:2px {'dashed' if label == 'other' else 'solid'} {colour}!important;"
    "outline-offset:1px!important}"
    f"body:has(#telusur-{label}:checked) [data-label={label}]::before"
    "{content:attr(data-block)!important;all:initial;display:inline-block!important;"
    f"background:{colour}!important;color:#fff!important;border-radius:3px!important;"
    "padding:0 4px!important;margin:0 4px 0 0!important;"
    "font:600 11px/1.5 system-ui,'Liberation Sans',Arial,sans-serif!important}"
    f"#telusur-legend i.{label}{{background:{colour}}}"
    for label, colour in _COLOURS.items()
)


def write_original(
    collection: StoredPageReader, url: str, query: str = "", labels: Sequence[str] | None = None
) -> str | None:
    """Return the page in its original layout, sanitised, or None when it is not in the archive.

    With `labels`, one per block, every block is outlined, and a legend turns labels on and off.
    """
    stored = collection.html(url)
    if stored is None:
        return None
    text = as_text(stored)
    reading = read_page(text, url)
    parts = stored_parts(collection)

    def find(text: str) -> Ranges:
        language = reading.document.language
        return collection.find_words(query, text, language) if query else ()

    head = _head(reading.document.title, read_sheets(text, url, parts), labels is not None)
    pieces = write_harmless(reading.tree, reading.base, labels=labels, stored=parts)
    doctype = "<!doctype html>\n" if _DOCTYPE.match(text[:5000]) else ""
    return doctype + write_marked(_with_head(pieces, clean(head), _legend(labels)), find)


def _head(title: str, sheets: str, has_blocks: bool) -> str:
    return (
        '<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<base target="_blank"><title>{escape(clean_line(title))}</title>'
        f"<style>{_BEFORE}</style>{sheets}"
        f"<style>{_AFTER}{_BLOCKS if has_blocks else ''}</style></head>"
    )


def _with_head(
    pieces: Iterator[SafePiece], head: str, legend: Sequence[SafePiece]
) -> Iterator[SafePiece]:
    """Yield the pieces with our head after the html tag, and the legend at the body's start."""
    for piece in pieces:
        yield piece
        if piece.tag.startswith("<html"):
            yield SafePiece(head)
        elif piece.tag.startswith("<body"):
            yield from legend


def _legend(labels: Sequence[str] | None) -> list[SafePiece]:
    if labels is None:
        return []
    counts = Counter(labels)
    rows = "".join(
        f'<label><input type="checkbox" id="telusur-{label}"'
        f"{'' if label == 'other' else ' checked'}>"
        f'<i class="{label}"></i>{label} <b>{counts[label]}</b></label>'
        for label in LABELS
    )
    return [SafePiece(f'<div id="telusur-legend" role="group" aria-label="Labels">{rows}</div>')]
