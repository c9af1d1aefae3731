"""Joins stored pages into one document with a table of contents."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import turbohtml

from telusur.errors import UsageError
from telusur.extract.document import PageReading, read_page
from telusur.extract.writing.escaping import clean, escape
from telusur.extract.writing.formats import document_head, structure_of
from telusur.extract.writing.markdown import markdown_of
from telusur.extract.writing.markup import markup_of
from telusur.extract.writing.structure import HEADINGS, LineGroup
from telusur.reports.save_pages import ChosenPage, HtmlOf

_RULE = "=" * 72


def join_pages(
    chosen: Sequence[ChosenPage], html_of: HtmlOf, form: str, name: str
) -> Iterator[str]:
    """Yield the parts of one document: head, a chapter for each page, end."""
    if form not in FORMATS:
        raise UsageError(f"format: {form!r} is not one of {', '.join(FORMATS)}.")
    writer = _WRITERS[form]
    yield writer.begin(name, chosen)
    for number, page in enumerate(chosen, 1):
        stored = html_of(page.url)
        if stored is not None:
            html, content_type = stored
            reading = read_page(html, page.url, content_type=content_type)
            yield writer.chapter(number, page, reading)
    yield writer.end()


class _Writer(Protocol):
    def begin(self, name: str, chosen: Sequence[ChosenPage]) -> str: ...

    def chapter(self, number: int, page: ChosenPage, reading: PageReading) -> str: ...

    def end(self) -> str: ...


class _Markdown:
    def begin(self, name: str, chosen: Sequence[ChosenPage]) -> str:
        rows = [
            f"{number}. [{_inline(page.title or page.url)}](#page-{number})"
            for number, page in enumerate(chosen, 1)
        ]
        return "\n".join([f"# {_inline(name)}\n", *rows, ""])

    def chapter(self, number: int, page: ChosenPage, reading: PageReading) -> str:
        body = markdown_of(_below(structure_of(reading), page.title))
        head = f'\n<a id="page-{number}"></a>\n\n## {_inline(page.title or page.url)}\n'
        return f"{head}\n<{page.url}>\n\n{body}\n"

    def end(self) -> str:
        return ""


class _Html:
    def begin(self, name: str, chosen: Sequence[ChosenPage]) -> str:
        rows = [
            f'<li><a href="#page-{number}">{escape(page.title or page.url)}</a></li>'
            for number, page in enumerate(chosen, 1)
        ]
        head = f"<!DOCTYPE html>\n<html>\n<head>\n{document_head(name)}</head>\n<body>\n"
        return "\n".join([f"{head}<h1>{escape(name)}</h1>\n<ol>", *rows, "</ol>\n"])

    def chapter(self, number: int, page: ChosenPage, reading: PageReading) -> str:
        body = markup_of(_below(structure_of(reading), page.title))
        url = escape(page.url)
        head = f'<section id="page-{number}">\n<h2>{escape(page.title or page.url)}</h2>'
        return f'{head}\n<p><a href="{url}">{url}</a></p>\n{body}\n</section>\n'

    def end(self) -> str:
        return "</body>\n</html>\n"


class _Text:
    def begin(self, name: str, chosen: Sequence[ChosenPage]) -> str:
        titles = [clean(page.title or page.url) for page in chosen]
        rows = [f"{number}. {title}" for number, title in enumerate(titles, 1)]
        return "\n".join([name, "", *rows, ""])

    def chapter(self, number: int, page: ChosenPage, reading: PageReading) -> str:
        title = clean(page.title or page.url)
        return f"\n{_RULE}\n{number}. {title}\n{page.url}\n\n{clean(reading.document.text)}\n"

    def end(self) -> str:
        return ""


def _below(body: LineGroup, title: str) -> LineGroup:
    """Return the content of a chapter: headings one or two levels lower, no title."""
    body.parts = [part for part in body.parts if not _is_title(part, title)]
    headings = [leaf for leaf in body.leaves() if leaf.kind in HEADINGS]
    lowest = min((HEADINGS.index(leaf.kind) for leaf in headings), default=0)
    # Chapters start at h3.
    for leaf in headings:
        leaf.kind = HEADINGS[min(HEADINGS.index(leaf.kind) - lowest + 2, 5)]
    return body


def _is_title(part: object, title: str) -> bool:
    text = getattr(part, "text", "")
    is_heading = getattr(part, "kind", "") in HEADINGS
    return is_heading and " ".join(text.split()).casefold() == title.casefold()


def _inline(text: str) -> str:
    """Return a title as Markdown on one line."""
    line = " ".join(text.split())
    return turbohtml.parse(f"<p>{escape(line)}</p>").to_markdown()


_WRITERS: dict[str, _Writer] = {"markdown": _Markdown(), "html": _Html(), "text": _Text()}
FORMATS = tuple(_WRITERS)
