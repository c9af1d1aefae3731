"""Bytes in, Document out: the steps of extraction, one after the other."""

from dataclasses import dataclass

from turbohtml import Document as Tree

from telusur.extract.blocks import PlacedBlock, make_blocks
from telusur.extract.decode import decode_html
from telusur.extract.directives import find_refresh, needs_browser, read_robots
from telusur.extract.dom import Line, TagIndex, cut_page, join_lines, parse_html, walk
from telusur.extract.labels import label_blocks
from telusur.extract.links import UNSEEN, find_base, find_links
from telusur.extract.metadata import Metadata, read_metadata
from telusur.extract.visible import hide_invisible, visible_text
from telusur.language.detect import detect_language, is_english, is_written_in
from telusur.models import Document

_LEAST_CONTENT = 150
_LEAST_CONTENT_SHARE = 0.08
_ENOUGH_CONTENT = 500
_LANGUAGE_SAMPLE = 6_000
_UNCERTAIN_LENGTH = 60


@dataclass(slots=True, eq=False)
class PageReading:
    """A page once read: its document, and what a text with its structure is assembled from."""

    document: Document
    tree: Tree
    """What a person sees of the page; the rest has been taken out."""
    base: str
    """What relative links start from."""
    content: list[Line] | None = None
    """The lines that the text is made of; None when it is all that is shown."""


def extract_document(
    html: bytes | str, url: str = "", *, content_type: str = "", content: str = "article"
) -> Document:
    """Return everything a page says as a Document; never raises, whatever the bytes.

    `content` is "article" for the main content and its labelled blocks, or "text" for all visible
    text.
    """
    return read_page(html, url, content_type=content_type, content=content).document


def read_page(
    html: bytes | str, url: str = "", *, content_type: str = "", content: str = "article"
) -> PageReading:
    """Return the document of a page together with its tree and the lines of its content.

    1. Decode. 2. Parse. 3. Read metadata and directives. 4. Take out what is not shown.
    5. Find the text and label its blocks. 6. Find the links. 7. Tell the language.
    """
    # 1, 2
    text = html.replace("\x00", "") if isinstance(html, str) else decode_html(html, content_type)[0]
    length = len(text)
    text = cut_page(text)
    tree = parse_html(text)
    html5, is_cut = _has_html5_doctype(text), len(text) < length
    del text, html  # the tree is large enough
    # 3
    tags = TagIndex(tree)
    base = find_base(tags, url)
    metadata = read_metadata(tree, tags, url, base, with_markup=content != "text")
    noindex, nofollow = read_robots(metadata.meta)
    refresh = find_refresh(tags, base)
    # 4
    tags.find_all(*UNSEEN)
    hidden = hide_invisible(tree, tags)
    # 5
    placed: list[PlacedBlock] = []
    if content == "text":
        body = shown = visible_text(tree, tags)
    else:
        body, shown, placed = _find_content(tree, metadata)
    # 6
    links = find_links(tags, shown, hidden, url=url, base=base)
    is_shell = needs_browser(tree, tags, len(body), len(links))
    # 7
    document = Document(
        url=url,
        title=metadata.title,
        author=metadata.author,
        date=metadata.date,
        description=metadata.description,
        keywords=metadata.keywords,
        text=body,
        language=_find_language(body, metadata.language),
        html5=html5,
        canonical=metadata.canonical,
        noindex=noindex,
        nofollow=nofollow,
        refresh=refresh,
        needs_browser=is_shell,
        links=links,
        blocks=[item.block for item in placed],
        truncated=is_cut,
    )
    content_lines = [item.line for item in placed if item.block.label == "content"]
    return PageReading(document, tree, base, None if body is shown else content_lines)


def _find_content(tree: Tree, metadata: Metadata) -> tuple[str, str, list[PlacedBlock]]:
    """Return the text of the content (all text when there is hardly any), all text, and blocks."""
    lines = walk(tree)
    placed = make_blocks(lines)
    label_blocks(placed, metadata)
    text = join_lines([item.line for item in placed if item.block.label == "content"])
    total = sum(len(item.block.text) for item in placed)
    least = max(_LEAST_CONTENT, min(_ENOUGH_CONTENT, _LEAST_CONTENT_SHARE * total))
    shown = join_lines(lines)
    return text if len(text) >= least else shown, shown, placed


def _find_language(text: str, declared: str) -> str:
    """Return the language of the text; the page's own word counts where there is little text."""
    declared = declared.partition("-")[0].strip().lower()
    if len(declared) != 2 or not (declared.isascii() and declared.isalpha()):
        declared = ""
    if declared and len(text) < _UNCERTAIN_LENGTH:
        return declared
    sample = _sample(text)
    if is_english(sample):
        return "en"
    if declared and is_written_in(sample, declared):
        return declared
    return detect_language(sample) or declared


def _sample(text: str) -> str:
    """Return the longest rows of a text: menus and dates say little about its language."""
    rows = text[:_LANGUAGE_SAMPLE].split("\n")
    return "\n".join(sorted(rows, key=len, reverse=True)[:10])


def _has_html5_doctype(text: str) -> bool:
    """Tell whether the page begins with `<!doctype html>` and names no older standard."""
    start = text[:2000].lstrip("\ufeff \t\r\n\x0c").lower()
    while start.startswith(("<!--", "<?")):
        start = start.partition(">")[2].lstrip()
    words = start.partition(">")[0].split()
    return words[:2] == ["<!doctype", "html"] and "public" not in words
