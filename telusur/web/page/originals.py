"""The stored copy in its original layout, and the same with its blocks outlined."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from telusur.extract.document import read_page
from telusur.extract.writing.sanitize import SafePiece, read_sheets, write_harmless
from telusur.reports.page_details import as_text
from telusur.web.frame.text import clean, clean_line
from telusur.web.page.copies import SANDBOX
from telusur.web.page.marking import Ranges, write_marked
from telusur.web.page.outlines import BlockOutline, write_legend, write_styles
from telusur.web.page.reader import StoredPageReader
from telusur.web.page.stored_parts import stored_parts

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


def write_original(
    collection: StoredPageReader, url: str, query: str = "", outline: BlockOutline | None = None
) -> str | None:
    """Return the page in its original layout, sanitised, or None when it is not in the archive.

    With `outline` every block is outlined, and a legend turns groups of blocks on and off.
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

    head = _head(reading.document.title, read_sheets(text, url, parts), outline)
    labels = outline.groups_of_blocks if outline is not None else None
    pieces = write_harmless(reading.tree, reading.base, labels=labels, stored=parts)
    doctype = "<!doctype html>\n" if _DOCTYPE.match(text[:5000]) else ""
    return doctype + write_marked(_with_head(pieces, clean(head), _legend(outline)), find)


def _head(title: str, sheets: str, outline: BlockOutline | None) -> str:
    styles = _AFTER + (write_styles(outline) if outline is not None else "")
    return (
        '<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<base target="_blank"><title>{escape(clean_line(title))}</title>'
        f"<style>{_BEFORE}</style>{sheets}"
        f"<style>{styles}</style></head>"
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


def _legend(outline: BlockOutline | None) -> list[SafePiece]:
    return [] if outline is None else [SafePiece(write_legend(outline))]
