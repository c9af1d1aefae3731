"""Posts and comments written out, each under a line with its author and its date."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from turbohtml import Element

from telusur.extract.document import PageReading
from telusur.extract.page.runs import STRONG, TextRun
from telusur.extract.threads.comments import find_comment_entries
from telusur.extract.threads.entries import PlacedPost
from telusur.extract.threads.posts import find_entries
from telusur.extract.writing.assemble import assemble
from telusur.extract.writing.escaping import escape
from telusur.extract.writing.markdown import markdown_of
from telusur.extract.writing.markup import WITH_IMAGES, markup_of
from telusur.extract.writing.pictures import is_decoration
from telusur.extract.writing.structure import Leaf, LineGroup
from telusur.models import Post

# A page is written as posts if they are at least this part of its text.
_LEAST_SHARE = 0.6


def thread_of(reading: PageReading) -> list[PlacedPost]:
    """Return the posts that a page is made of; none if it is not made of posts."""
    if reading.document.page_type != "forum" or not reading.labels:
        return []
    entries = find_entries(reading)
    size = sum(len(entry.post.text) for entry in entries)
    is_thread = len(entries) > 1 and size >= _LEAST_SHARE * len(reading.document.text)
    return entries if is_thread else []


def comments_of(reading: PageReading, source: Sequence[Post]) -> list[PlacedPost]:
    """Return the comments on a page; `source` are those of its document, perhaps only stated."""
    entries = find_comment_entries(reading) if reading.labels else []
    return entries if len(entries) >= len(source) else [PlacedPost(post, []) for post in source]


@dataclass(slots=True, frozen=True)
class _Rows:
    """The rows of a post: what else its elements hold is not part of it."""

    rows: frozenset[str]

    def __contains__(self, line: object) -> bool:
        if not isinstance(line, tuple):
            return False
        return all(
            not row.strip() or " ".join(row.split()) in self.rows for row in line[1].split("\n")
        )


def _bodies_of(entry: PlacedPost, base: str) -> list[LineGroup]:
    """Return the parts of a post as structures; of one without elements, its rows."""
    rows = entry.post.text.split("\n")
    if not entry.elements:
        return [LineGroup("body", [Leaf("p", [TextRun(row)]) for row in rows])]
    content = _Rows(frozenset(" ".join(row.split()) for row in rows))
    return [assemble(element, base, content, _is_picture) for element in entry.elements]


def _is_picture(image: Element, container: int) -> bool:
    return not is_decoration(image)


def _heading_of(post: Post) -> LineGroup | None:
    """Return the line above a post: author, date."""
    date = (post.date or "").replace("T", " ")
    runs = [TextRun(post.author, STRONG, post.author_url or "")] if post.author else []
    if date:
        runs += [TextRun(", ")] if runs else []
        runs.append(TextRun(date, 0, post.link or ""))
    return LineGroup("body", [Leaf("p", runs)]) if runs else None


def entries_in_markdown(entries: list[PlacedPost], base: str) -> str:
    """Return posts as Markdown, with rules between them."""
    return "\n\n---\n\n".join(_write(entry, base, markdown_of, "\n\n") for entry in entries)


def entries_in_html(entries: list[PlacedPost], base: str) -> str:
    """Return posts as HTML, each an `article`."""
    written = (_write(entry, base, markup_of, "\n") for entry in entries)
    return "\n".join(f"<article>\n{each}\n</article>" for each in written)


def entries_in_text(entries: list[PlacedPost]) -> str:
    """Return posts as text, with an empty row between them."""
    written = []
    for entry in entries:
        heading = _heading_of(entry.post)
        above = "".join(leaf.text for leaf in heading.leaves()) if heading else ""
        written.append("\n".join(filter(None, (above, entry.post.text))))
    return "\n\n".join(written)


def _write(entry: PlacedPost, base: str, write: Callable[[LineGroup], str], between: str) -> str:
    heading = _heading_of(entry.post)
    parts = ([heading] if heading else []) + _bodies_of(entry, base)
    return between.join(filter(None, map(write, parts)))


def entries_in_xml(entries: list[PlacedPost], base: str, tag: str) -> str:
    """Return posts as elements with author, date and links as attributes."""
    return "\n".join(_in_xml(entry, base, tag) for entry in entries)


def _in_xml(entry: PlacedPost, base: str, tag: str) -> str:
    post = entry.post
    named = {"author": post.author, "date": post.date, "link": post.link,
             "author_url": post.author_url}  # fmt: skip
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in named.items() if value)
    inner = "\n".join(markup_of(body, WITH_IMAGES) for body in _bodies_of(entry, base))
    return f"<{tag}{attributes}>\n{inner}\n</{tag}>"
