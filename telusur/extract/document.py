"""Bytes in, Document out: the steps of extraction, one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.content.blocks import Blocks
from telusur.extract.content.labels import LISTS, Labelled, label_lines
from telusur.extract.content.model import Model
from telusur.extract.facts.headings import find_headings
from telusur.extract.facts.metadata import Metadata, read_metadata
from telusur.extract.late_facts import settle_facts
from telusur.extract.page.decode import clean_text, decode_html
from telusur.extract.page.directives import find_refresh, needs_browser, read_robots
from telusur.extract.page.dom import TagIndex, close_swallowing, cut_page, parse_cut, parse_html
from telusur.extract.page.formulas import settle_formulas
from telusur.extract.page.layout import Layout, join_lines, read_layout
from telusur.extract.page.links import RARE, UNSEEN, find_base, find_links
from telusur.extract.page.visible import hide_invisible, visible_text
from telusur.extract.site.fact_places import add_facts_by_place
from telusur.extract.site.page_on_site import PageOnSite
from telusur.extract.site.record import SiteRecord
from telusur.extract.style.page_sheets import GivenSheets, Sheets
from telusur.extract.threads.comments import find_comments, may_have_comments
from telusur.extract.threads.found import LatePosts
from telusur.extract.threads.posts import find_posts, may_be_thread
from telusur.language.detect import detect_language, is_english, is_written_in
from telusur.language.reading_time import reading_minutes
from telusur.models import Document

_LEAST_CONTENT = 150
_LEAST_ARTICLE = 40
_SMALL_PAGE = 400
_LONG_LINE = 80
_SHOWN_SHARE = 0.5
_LANGUAGE_SAMPLE = 6_000
_UNCERTAIN_LENGTH = 60
# The metadata that a document has under the same name. Its language is that of the text.
_TAKEN = tuple(
    {row.name for row in fields(Metadata)} & {row.name for row in fields(Document)} - {"language"}
)


@dataclass(slots=True, eq=False)
class PageReading:
    """A page after reading: its document, and the material for writing it with its structure."""

    document: Document
    # The visible part of the page; the rest has been removed.
    tree: Tree
    # The base URL of relative links.
    base: str
    layout: Layout
    # The lines of the text; None if it is all visible text.
    lines: list[int] | None = None
    # The label of each line of the layout.
    labels: list[str] = field(default_factory=list)
    # The page beside the others of its site, if it was read with the record of the site.
    site: PageOnSite | None = None
    # Title and text as they are without the other pages: copies are recognised by them.
    title_alone: str = ""
    text_alone: str = ""

    @classmethod
    def of_text(cls, document: Document) -> "PageReading":
        """Return the reading of a page that is plain text."""
        return cls(document, parse_html(""), "", Layout())

    @property
    def content(self) -> set[tuple[int, str]] | None:
        """Return those lines, each as the number of its container and its text."""
        return None if self.lines is None else _identify(self.layout, self.lines)


@dataclass(slots=True)
class OpenPage:
    """A page as a tree without invisible elements, and its metadata."""

    tree: Tree
    tags: TagIndex
    url: str
    base: str
    metadata: Metadata
    refresh: str | None
    # The removed invisible elements, still whole.
    hidden: list[Element]
    html5: bool
    is_cut: bool


def extract_document(
    html: bytes | str,
    url: str | None = "",
    *,
    content_type: str | None = "",
    content: str = "article",
    model: Model | None = None,
    style_sheets: Mapping[str, str] | None = None,
) -> Document:
    """Return everything a page says as a Document; never raises, whatever the bytes.

    `content` is "article" for the main content and its labelled blocks, or "text" for all visible
    text. `model` is the one that comes with Telusur unless another is given. `style_sheets` are the
    texts of linked style sheets by URL: what they hide is left out.
    """
    sheets = None if style_sheets is None else GivenSheets(style_sheets)
    return read_page(
        html, url, content_type=content_type, content=content, model=model, sheets=sheets
    ).document


def read_page(
    html: bytes | str,
    url: str | None = "",
    *,
    content_type: str | None = "",
    content: str = "article",
    model: Model | None = None,
    site: SiteRecord | None = None,
    sheets: Sheets | None = None,
) -> PageReading:
    """Return the document of a page together with its tree and the lines of its content.

    With a record of its site, even an empty one, the result has what the page tells about the site.

    1. Decode, parse, read metadata, remove what is invisible. 2. Find the lines and label them. 3.
    Join the text. 4. Find the links. 5. Detect the language.

    `sheets` are the linked style sheets. Raises `SheetsMissing` if some should be looked for.
    """
    page = open_page(  # 1
        html, url, content_type=content_type, with_markup=content != "text", sheets=sheets
    )
    if content == "text":
        layout, labelled = Layout(), Labelled([], [])
        body = shown = visible_text(page.tree, page.tags)
    else:
        layout = read_layout(page.tree)
        labelled = label_lines(layout, page.metadata, model, site)  # 2
        shown = join_lines(layout)
        body = _choose_text(layout, labelled, shown, page.metadata)  # 3
    links = find_links(  # 4
        page.tags, shown, page.hidden, url=page.url, base=page.base, anchors=layout.anchors
    )
    document = _describe(page, body, len(links))
    title_alone, text_alone = document.title, body
    if labelled.site is not None and labelled.alone is not None:  # otherwise they are the same
        document.title = labelled.site.title or document.title
        text_alone = _choose_text(layout, labelled.alone, shown, page.metadata)
    document.links = links
    document.headings = find_headings(page.tree, body, layout.headings)
    document.page_type = labelled.page_type
    settle_facts(document, page.metadata, layout.texts, labelled.labels, labelled.dated)
    if site is not None and labelled.site is not None and labelled.site.says_something:
        add_facts_by_place(document, page.metadata, labelled.site, site)
    explain = labelled.site.explain if labelled.site is not None else None
    document.blocks = Blocks(layout, labelled.labels, explain)
    if may_be_thread(labelled.page_type, page.metadata.schema_types, page.url):
        document.posts = LatePosts(lambda: find_posts(*_read_again(html, url, content_type, model)))
    if may_have_comments(layout):
        document.comments = LatePosts(
            lambda: find_comments(*_read_again(html, url, content_type, model))
        )
    chosen = None if body is shown else labelled.content
    reading = PageReading(document, page.tree, page.base, layout, chosen, labelled.labels)
    reading.site, reading.title_alone, reading.text_alone = labelled.site, title_alone, text_alone
    return reading


def _read_again(
    html: bytes | str, url: str | None, content_type: str | None, model: Model | None
) -> tuple[PageReading, str]:
    """Return a page read once more, and its source: a document does not keep them."""
    reading = read_page(html, url, content_type=content_type, model=model)
    return reading, html if isinstance(html, str) else decode_html(html, content_type or "")[0]


def _identify(layout: Layout, lines: list[int]) -> set[tuple[int, str]]:
    containers = layout.containers[lines].tolist()
    return {
        (container, layout.texts[line]) for container, line in zip(containers, lines, strict=True)
    }


def open_page(
    html: bytes | str,
    url: str | None = "",
    *,
    content_type: str | None = "",
    with_markup: bool = True,
    sheets: Sheets | None = None,
) -> OpenPage:
    """Decode and parse a page, read its metadata, and remove invisible elements."""
    url, content_type = url or "", content_type or ""
    text = clean_text(html) if isinstance(html, str) else decode_html(html, content_type)[0]
    length = len(text)
    text = cut_page(text)
    tree = parse_cut(text)
    tags = TagIndex(tree)
    if (closed := close_swallowing(text, tags)) is not None:
        tree = parse_html(closed)
        tags = TagIndex(tree)
    html5, is_cut = _has_html5_doctype(text), len(text) < length
    del text, html
    base = find_base(tags, url)
    metadata = read_metadata(tree, tags, url, base, with_markup=with_markup)
    refresh = find_refresh(tags, base)
    tags.find_all(*UNSEEN, *RARE)
    settle_formulas(tree, tags)
    hidden = hide_invisible(tree, tags, base, sheets)
    tags.written = ""  # free memory: the tree is large
    return OpenPage(tree, tags, url, base, metadata, refresh, hidden, html5, is_cut)


def _choose_text(layout: Layout, labelled: Labelled, shown: str, metadata: Metadata) -> str:
    """Return the text of the content.

    If there is hardly any content, or the page is small, it is all visible text. If the page's data
    contain a longer text that the page does not show, as on shops and pages built by scripts, it is
    that text.
    """
    text = join_lines(layout, labelled.content)
    least = _LEAST_ARTICLE if labelled.page_type == "article" else _LEAST_CONTENT
    if len(shown) < _SMALL_PAGE or len(text) < min(least, len(shown) // 2):
        text = shown
    stated = metadata.stated_text
    if len(stated) <= len(text) < len(shown):
        return text
    prose = sum(len(text) for text in layout.texts if len(text) > _LONG_LINE)
    if len(stated) > len(shown) // 2 or (len(stated) > prose and labelled.page_type not in LISTS):
        return stated
    is_product = "product" in metadata.schema_types and len(stated) > _LEAST_CONTENT
    return stated if is_product and _share_within(stated, text) < _SHOWN_SHARE else text


def _share_within(stated: str, text: str) -> float:
    """Return the share of the words of one text that the other has."""
    words = stated.lower().split()
    known = set(text.lower().split())
    return sum(word in known for word in words) / max(1, len(words))


def _describe(page: OpenPage, body: str, links: int) -> Document:
    metadata = page.metadata
    noindex, nofollow = read_robots(metadata.meta)
    language = _find_language(body, metadata.language)
    return Document(
        **{name: getattr(metadata, name) for name in _TAKEN},
        text=body,
        language=language,
        html5=page.html5,
        noindex=noindex,
        nofollow=nofollow,
        refresh=page.refresh,
        needs_browser=needs_browser(page.tree, page.tags, len(body), links),
        truncated=page.is_cut,
        reading_minutes=reading_minutes(body, language),
    )


def _find_language(text: str, declared: str) -> str:
    """Return the language of the text; the declared language counts if there is little text."""
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
