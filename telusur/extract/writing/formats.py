"""The content of a page as text, Markdown, JSON, XML or HTML."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from telusur.errors import UsageError
from telusur.extract.content.model import Model
from telusur.extract.document import PageReading, read_page
from telusur.extract.style.page_sheets import Sheets
from telusur.extract.threads.entries import PlacedPost
from telusur.extract.writing.assemble import assemble
from telusur.extract.writing.escaping import clean, escape
from telusur.extract.writing.markdown import markdown_of, markdown_of_line
from telusur.extract.writing.markup import WITH_IMAGES, markup_of
from telusur.extract.writing.pictures import Pictures
from telusur.extract.writing.structure import LineGroup
from telusur.extract.writing.threads import (
    comments_of,
    entries_in_html,
    entries_in_markdown,
    entries_in_text,
    entries_in_xml,
    thread_of,
)
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
    with_comments: bool = False,
) -> str:
    """Return the content of a page as text, markdown, json, xml or html.

    `content` is "article" for the main content, or "text" for all visible text. On request JSON and
    XML include the labelled blocks, and all formats the comments of readers.
    """
    if format not in FORMATS:
        raise UsageError(f"format: {format!r} is not one of {', '.join(FORMATS)}.")
    reading = read_content(html, url, content_type=content_type, content=content)
    return write_content(reading, format, Extras(with_blocks, with_comments))


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


@dataclass(slots=True, frozen=True)
class Extras:
    """What is written besides the content."""

    blocks: bool = False
    comments: bool = False


def write_content(reading: PageReading, format: str, wanted: Extras | None = None) -> str:
    """Return a page that was read in one of the formats."""
    return FORMATS[format](reading, wanted or Extras())


def structure_of(reading: PageReading) -> LineGroup:
    """Return the content of a page as headings, paragraphs, lists, tables, code and quotes."""
    images = Pictures(reading).belongs
    return assemble(reading.tree, reading.base, reading.content, images)


def _as_text(reading: PageReading, wanted: Extras) -> str:
    comments = entries_in_text(_comments(reading)) if wanted.comments else ""
    return clean("\n\n".join(filter(None, (reading.document.text, comments))))


def _comments(reading: PageReading) -> list[PlacedPost]:
    return comments_of(reading, reading.document.comments)


def _as_markdown(reading: PageReading, wanted: Extras) -> str:
    thread = thread_of(reading)
    body = LineGroup("body") if thread else structure_of(reading)
    title = _title_above(reading.document, body)
    parts = [
        markdown_of_line(title, "h1") if title else "",
        entries_in_markdown(thread, reading.base) if thread else markdown_of(body),
    ]
    if wanted.comments and (found := _comments(reading)):
        parts += ["## Comments", entries_in_markdown(found, reading.base)]
    return "\n\n".join(filter(None, parts))


def _as_html(reading: PageReading, wanted: Extras) -> str:
    document, thread = reading.document, thread_of(reading)
    body = LineGroup("body") if thread else structure_of(reading)
    title = _title_above(document, body)
    inner = entries_in_html(thread, reading.base) if thread else markup_of(body)
    comments = ""
    if wanted.comments and (found := _comments(reading)):
        written = entries_in_html(found, reading.base)
        comments = f"<section>\n<h2>Comments</h2>\n{written}\n</section>\n"
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
        f"<body>\n{heading}{inner}\n{comments}</body>\n</html>"
    )


def document_head(title: str) -> str:
    """Return the head of every page that we write."""
    return f"{_ROBUST_HEAD}<title>{escape(title)}</title>\n"


def _as_xml(reading: PageReading, wanted: Extras) -> str:
    document = reading.document
    url = f' url="{escape(document.url)}"' if document.url else ""
    language = f' language="{escape(document.language)}"' if document.language else ""
    facts = [
        f"<{name}>{escape(value)}</{name}>" for name in _FACTS if (value := getattr(document, name))
    ]
    blocks = [_block_in_xml(block) for block in document.blocks] if wanted.blocks else []
    thread = thread_of(reading)
    content = (
        entries_in_xml(thread, reading.base, "post")
        if thread
        else markup_of(structure_of(reading), WITH_IMAGES)
    )
    comments = _comments(reading) if wanted.comments else []
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<document{url}{language}>",
            *facts,
            f"<content>\n{content}\n</content>",
            *_section(
                "comments", [entries_in_xml(comments, reading.base, "comment")], wanted.comments
            ),
            *_section("blocks", blocks, wanted.blocks),
            "</document>",
        ]
    )


def _section(name: str, rows: list[str], is_wanted: bool) -> list[str]:
    return [f"<{name}>", *filter(None, rows), f"</{name}>"] if is_wanted else []


def _block_in_xml(block: Block) -> str:
    named = {"label": block.label, "path": block.tag_path}
    if block.bounds is not None:
        named |= {name: f"{value:g}" for name, value in block.bounds._asdict().items()}
    if block.is_hidden:
        named["hidden"] = "hidden"
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in named.items())
    return f"<block {attributes}>{escape(block.text)}</block>"


def _as_json(reading: PageReading, wanted: Extras) -> str:
    record = document_record(reading.document, wanted)
    return clean(json.dumps(record, ensure_ascii=False, default=str))


def document_record(document: Document, wanted: Extras | None = None) -> dict[str, Any]:
    """Return a document for JSON; its type is "document"."""
    wanted = wanted or Extras()
    # Blocks, posts and comments are made only when they are wanted.
    shown = replace(document, links=[], blocks=[], posts=[], comments=[])
    record: dict[str, Any] = {"type": "document", **asdict(shown)}
    record["links"] = [link._asdict() for link in document.links]
    record["posts"] = [post._asdict() for post in document.posts]
    del record["blocks"], record["comments"]
    if wanted.blocks:
        record["blocks"] = [block_record(block) for block in document.blocks]
    if wanted.comments:
        record["comments"] = [post._asdict() for post in document.comments]
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


FORMATS: dict[str, Callable[[PageReading, Extras], str]] = {
    "text": _as_text,
    "markdown": _as_markdown,
    "json": _as_json,
    "xml": _as_xml,
    "html": _as_html,
}
