"""What a page says about itself: title, author, date, description, keywords, canonical URL."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.dates import date_in_url, parse_date
from telusur.extract.dom import TagIndex
from telusur.extract.json_text import parse_json
from telusur.extract.resolve import resolve_url

MAX_FIELD_LENGTH = 1000
_MAX_JSON_LENGTH = 500_000
_MAX_JSON_NODES = 2000
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_SEPARATORS = re.compile(r"\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb:]|::|-|\u2013)\s+|\s*\|\s*|:\s+")
_ARTICLE_TYPES = (
    "article",
    "posting",
    "report",
    "recipe",
    "newsitem",
    "question",
    "product",
    "webpage",
)
_TITLE_NAMES = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_AUTHOR_NAMES = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author",
    "parsely-author", "sailthru.author", "byl", "twitter:data1",
)  # fmt: skip
_DATE_NAMES = (
    "article:published_time", "datepublished", "date", "dc.date", "dcterms.created",
    "dc.date.issued", "dcterms.date", "citation_publication_date", "citation_date",
    "parsely-pub-date", "pubdate", "publishdate", "publish-date", "publication_date",
    "sailthru.date", "og:article:published_time", "article.published", "created", "dcterms.issued",
)  # fmt: skip
_DESCRIPTION_NAMES = ("description", "og:description", "dc.description", "twitter:description")
_KEYWORD_NAMES = ("keywords", "news_keywords", "parsely-tags", "dc.subject")
_AUTHOR_MARKS = (
    "[itemprop~=author] [itemprop~=name]", "[itemprop~=author]", "a[rel~=author]",
    "[class*=author-name],[class*=author__name],[class*=byline-name],[class*=author_name]",
    ".byline a,.author a,.post-author a,.entry-author a", ".byline,.p-author",
)  # fmt: skip
_DATE_MARKS = "[itemprop~=datePublished],time,[class*=date],[class*=published]"
_NOT_AUTHORS = re.compile(
    r"https?:|www\.|@|^(?:admin|administrator|staff|editor|author|by|user)$", re.IGNORECASE
)
_BY = re.compile(
    r"^(?:by|von|oleh|written by|posted by|author|penulis|yazan|autor)\s*[:\s]\s*", re.IGNORECASE
)


@dataclass(slots=True)
class Metadata:
    """The page's own statements, empty where it makes none."""

    title: str = ""
    author: str | None = None
    date: str | None = None
    description: str = ""
    keywords: str = ""
    canonical: str | None = None
    language: str = ""
    meta: dict[str, list[str]] = field(default_factory=dict)


def read_metadata(
    tree: Tree, tags: TagIndex, url: str, base: str, *, with_markup: bool = True
) -> Metadata:
    """Collect the statements, the most deliberate ones first: JSON-LD, then meta, then markup.

    Without `with_markup` author and date are not looked for in the body of the page.
    """
    meta = read_meta(tags)
    facts = _read_json_ld(tags)
    html = tree.root
    return Metadata(
        title=_find_title(tags, meta, facts),
        author=_find_author(tree if with_markup else None, meta, facts),
        date=_find_date(tree if with_markup else None, meta, facts, url),
        description=_first(meta, _DESCRIPTION_NAMES) or clean(_as_text(facts.get("description"))),
        keywords=_first(meta, _KEYWORD_NAMES) or clean(_as_text(facts.get("keywords"))),
        canonical=_find_canonical(tags, base),
        language=(html.attr("lang") or html.attr("xml:lang") or "")[:20]
        if html is not None
        else "",
        meta=meta,
    )


def read_meta(tags: TagIndex) -> dict[str, list[str]]:
    """Return the content of each meta element outside noscript, by lower-case name or property."""
    found: dict[str, list[str]] = {}
    is_simple = not (tags["noscript"] or tags["template"])
    for element in tags["meta"][:500]:
        content = element.attr("content")
        name = element.attr("property") or element.attr("name") or element.attr("itemprop")
        if not name or content is None:
            continue
        if is_simple or element.closest("noscript,template") is None:
            found.setdefault(name.strip().lower(), []).append(content)
    return found


def clean(text: str) -> str:
    """Return one line without control and direction characters, of bounded length."""
    return " ".join(_CONTROLS.sub(" ", text[: 4 * MAX_FIELD_LENGTH]).split())[:MAX_FIELD_LENGTH]


def _first(meta: dict[str, list[str]], names: tuple[str, ...]) -> str:
    for name in names:
        for value in meta.get(name, ()):
            if cleaned := clean(value):
                return cleaned
    return ""


def _find_title(tags: TagIndex, meta: dict[str, list[str]], facts: dict[str, Any]) -> str:
    """Prefer the heading that the head of the page confirms; cut the site's name off its title."""
    head = clean(tags["title"][0].text) if tags["title"] else ""
    stated = _first(meta, _TITLE_NAMES) or clean(_as_text(facts.get("headline"))) or head
    headings = [clean(heading.text) for heading in tags["h1"][:5]]
    for heading in headings:
        if len(heading) > 3 and (heading in stated or heading in head):
            return heading
    site = _first(meta, ("og:site_name",))
    return strip_site_name(stated, site) or (headings[0] if headings else "")


def strip_site_name(title: str, site: str = "") -> str:
    """Return the title without the name of the site before or after a separator."""
    parts = [part for part in _SEPARATORS.split(title) if part]
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() == site.casefold():
        return title[: title.rindex(parts[-1])].rstrip(" |-–—·•»:")
    if site and parts[0].casefold() == site.casefold():
        return title[title.index(parts[0]) + len(parts[0]) :].lstrip(" |-–—·•»:")
    ends_with_name = re.search(r"\s[|\u2013\u2014\u00b7\u2022\u00bb-]\s[^|]{1,40}$", title)
    if ends_with_name and ends_with_name.start() >= 12:
        return title[: ends_with_name.start()]
    return title


def _find_author(
    tree: Tree | None, meta: dict[str, list[str]], facts: dict[str, Any]
) -> str | None:
    names = _clean_names(_names_in(facts.get("author") or facts.get("creator")))
    if not names:
        names = _clean_names(value for name in _AUTHOR_NAMES[:-1] for value in meta.get(name, ()))
    if not names and tree is not None:
        names = _clean_names(_names_in_markup(tree))
    return ", ".join(names[:10]) or None


def _names_in_markup(tree: Tree) -> Iterator[str]:
    """Yield what the best of the usual marks of an author holds, if the page has any."""
    if tree.select_one("[itemprop~=author],a[rel~=author],[class*=author],[class*=byline]") is None:
        return
    for selector in _AUTHOR_MARKS:
        texts = [element.text for element in tree.select(selector)[:3]]
        if any(text.strip() for text in texts):
            yield from texts
            return


def _clean_names(values: Any) -> list[str]:
    names: dict[str, None] = {}
    for value in values:
        name = _BY.sub("", clean(value)).strip(" ,;:-|")
        if 2 < len(name) <= 80 and not _NOT_AUTHORS.search(name):
            names[name] = None
    return list(names)


def _names_in(value: Any) -> Iterator[str]:
    """Yield the names in a JSON-LD author: a string, an object with a name, or a list of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _names_in(value.get("name"))
    elif isinstance(value, list):
        for item in value[:20]:
            if isinstance(item, str | dict):
                yield from _names_in(item)


def _find_date(
    tree: Tree | None, meta: dict[str, list[str]], facts: dict[str, Any], url: str
) -> str | None:
    stated = [_as_text(facts.get("datePublished")), _as_text(facts.get("dateCreated"))]
    stated += [value for name in _DATE_NAMES for value in meta.get(name, ())]
    for text in stated:
        if found := parse_date(text):
            return found
    if found := date_in_url(url):
        return found
    for element in tree.select(_DATE_MARKS)[:10] if tree is not None else ():
        text = element.attr("datetime") or element.attr("content") or element.text
        if found := parse_date(text):
            return found
    return None


def _find_canonical(tags: TagIndex, base: str) -> str | None:
    found = tags["link[rel~=canonical i][href]"]
    return resolve_url(base, found[0].attr("href") or "") if found else None


def _read_json_ld(tags: TagIndex) -> dict[str, Any]:
    """Return the properties of the object that describes the page, the first one winning."""
    facts: dict[str, Any] = {}
    for element in tags["script[type*=ld\\+json i]"][:20]:
        for item in _objects_in(_parse_json(element)):
            kind = _as_text(item.get("@type")).lower()
            if any(name in kind for name in _ARTICLE_TYPES):
                for name, value in item.items():
                    facts.setdefault(name, value)
    return facts


def _parse_json(element: Element) -> Any:
    text = element.text
    return None if len(text) > _MAX_JSON_LENGTH else parse_json(text)


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects at the top, in lists, and in `@graph` and `mainEntity`."""
    waiting = [value]
    for _ in range(_MAX_JSON_NODES):
        if not waiting:
            return
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting.extend(item[:200])
        elif isinstance(item, dict):
            yield item
            waiting.extend((item.get("@graph"), item.get("mainEntity")))


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_as_text(item) for item in value[:20] if isinstance(item, str))
    return value if isinstance(value, str) else ""
