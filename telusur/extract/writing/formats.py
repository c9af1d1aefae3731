"""The content of a page as text, Markdown, JSON, XML or HTML."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from telusur.errors import UsageError
from telusur.extract.content.model import Model
from telusur.extract.document import PageReading, read_page
from telusur.extract.style.page_sheets import Sheets
from telusur.extract.writing.assemble import assemble
from telusur.extract.writing.escaping import clean, escape
from telusur.extract.writing.markdown import markdown_of, markdown_of_line
from telusur.extract.writing.markup import WITH_IMAGES, markup_of
from telusur.extract.writing.pictures import Pictures
from telusur.extract.writing.structure import LineGroup
from telusur.models import Block, Document

_FACTS = ("title", "author", "date", "description", "keywords", "canonical")
_ROBUST_HEAD = (
    '<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    # Nothing in the page can load or run anything; this tells the browser, too.
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src 'unsafe-inline'\">\n"
    "<style>body{max-width:42em;margin:2em auto;padding:0 1em;font:1.05em/1.55 serif}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .5em}"
    "pre{overflow:auto}figcaption{font-size:.9em}</style>\n"
)


def extract_content(
    html: bytes | str,
    url: str = "",
    *,
    content_type: str = "",
    format: str = "markdown",
    content: str = "article",
    with_blocks: bool = False,
) -> str:
    """Return the content of a page as text, markdown, json, xml or html.

    `content` is "article" for the main content, or "text" for all visible text. JSON and XML
    include the labelled blocks on request.
    """
    if format not in FORMATS:
        raise UsageError(f"format: {format!r} is not one of {', '.join(FORMATS)}.")
    reading = read_content(html, url, content_type=content_type, content=content)
    return write_content(reading, format, with_blocks=with_blocks)


def read_content(
    html: bytes | str,
    url: str = "",
    *,
    content_type: str = "",
    content: str = "article",
    model: Model | None = None,
    sheets: Sheets | None = None,
) -> PageReading:
    """Return a page read for writing: its main content ("article"), or all it shows ("text")."""
    reading = read_page(html, url, content_type=content_type, model=model, sheets=sheets)
    if content == "text":
        shown = read_page(html, url, content_type=content_type, content=content, sheets=sheets)
        reading.document.text = shown.document.text
        reading.lines = None
    return reading


def write_content(reading: PageReading, format: str, *, with_blocks: bool = False) -> str:
    """Return a page that was read in one of the formats."""
    return FORMATS[format](reading, with_blocks)


def structure_of(reading: PageReading) -> LineGroup:
    """Return the content of a page as headings, paragraphs, lists, tables, code and quotes."""
    images = Pictures(reading).belongs
    return assemble(reading.tree, reading.base, reading.content, images)


def _as_text(reading: PageReading, with_blocks: bool) -> str:
    return clean(reading.document.text)


def _as_markdown(reading: PageReading, with_blocks: bool) -> str:
    body = structure_of(reading)
    title = _title_above(reading.document, body)
    head = markdown_of_line(title, "h1") if title else ""
    return "\n\n".join(filter(None, (head, markdown_of(body))))


def _as_html(reading: PageReading, with_blocks: bool) -> str:
    document, body = reading.document, structure_of(reading)
    title = _title_above(document, body)
    language = f' lang="{escape(document.language)}"' if document.language else ""
    metas = "".join(
        f'<meta name="{name}" content="{escape(value)}">\n'
        for name in ("author", "date", "description", "keywords")
        if (value := getattr(document, name))
    )
    source = document.canonical or document.url
    link = f'<link rel="canonical" href="{escape(source)}">\n' if _is_web(source) else ""
    heading = f"<h1>{escape(title)}</h1>\n" if title else ""
    return (
        f"<!DOCTYPE html>\n<html{language}>\n<head>\n"
        f"{document_head(document.title)}{metas}{link}</head>\n"
        f"<body>\n{heading}{markup_of(body)}\n</body>\n</html>"
    )


def document_head(title: str) -> str:
    """Return the head of every page that we write."""
    return f"{_ROBUST_HEAD}<title>{escape(title)}</title>\n"


def _as_xml(reading: PageReading, with_blocks: bool) -> str:
    document = reading.document
    url = f' url="{escape(document.url)}"' if document.url else ""
    language = f' language="{escape(document.language)}"' if document.language else ""
    facts = [
        f"<{name}>{escape(value)}</{name}>" for name in _FACTS if (value := getattr(document, name))
    ]
    blocks = [_block_in_xml(block) for block in document.blocks] if with_blocks else []
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<document{url}{language}>",
            *facts,
            f"<content>\n{markup_of(structure_of(reading), WITH_IMAGES)}\n</content>",
            *(["<blocks>", *blocks, "</blocks>"] if with_blocks else []),
            "</document>",
        ]
    )


def _block_in_xml(block: Block) -> str:
    named = {"label": block.label, "path": block.tag_path}
    if block.bounds is not None:
        named |= {name: f"{value:g}" for name, value in block.bounds._asdict().items()}
    if block.is_hidden:
        named["hidden"] = "hidden"
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in named.items())
    return f"<block {attributes}>{escape(block.text)}</block>"


def _as_json(reading: PageReading, with_blocks: bool) -> str:
    record = document_record(reading.document, with_blocks=with_blocks)
    return clean(json.dumps(record, ensure_ascii=False, default=str))


def document_record(document: Document, *, with_blocks: bool = False) -> dict[str, Any]:
    """Return a document for JSON; its type is "document"."""
    record: dict[str, Any] = {"type": "document", **asdict(document)}
    record["links"] = [link._asdict() for link in document.links]
    record["blocks"] = [block_record(block) for block in document.blocks]
    if not with_blocks:
        del record["blocks"]
    return record


def block_record(block: Block) -> dict[str, Any]:
    """Return a block for JSON, without missing values of the browser."""
    record = asdict(block)
    record["bounds"] = block.bounds._asdict() if block.bounds is not None else None
    return {name: value for name, value in record.items() if value not in (None, "", False)}


def _title_above(document: Document, body: LineGroup) -> str:
    """Return the title, unless it is already a heading of the content."""
    title = " ".join(document.title.split())
    headings = (leaf.text for leaf in body.leaves() if leaf.kind in ("h1", "h2"))
    is_there = any(" ".join(text.split()).casefold() == title.casefold() for text in headings)
    return "" if is_there else title


def _is_web(address: str) -> bool:
    return address.startswith(("http://", "https://"))


FORMATS: dict[str, Callable[[PageReading, bool], str]] = {
    "text": _as_text,
    "markdown": _as_markdown,
    "json": _as_json,
    "xml": _as_xml,
    "html": _as_html,
}
