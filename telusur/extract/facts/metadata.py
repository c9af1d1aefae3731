"""What a page says about itself: title, author, date, description, keywords, canonical URL."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from html import unescape

import turbohtml
from turbohtml import Document as Tree

from telusur.extract.authors import find_author
from telusur.extract.dom import TagIndex
from telusur.extract.json_ld import Properties, as_text, read_json_ld
from telusur.extract.nearby import Nearby, read_nearby, read_opening
from telusur.extract.published import find_date, is_stated
from telusur.extract.resolve import resolve_url
from telusur.extract.signals import Signals
from telusur.extract.statements import Statements, clean, first_of, read_meta
from telusur.extract.titles import Title, find_title

_MAX_TEXT = 200_000
_DESCRIPTION_NAMES = ("description", "og:description", "dc.description", "twitter:description")
_KEYWORD_NAMES = ("keywords", "news_keywords", "parsely-tags", "dc.subject")


@dataclass(slots=True)
class Metadata:
    """The page's own statements, empty where it makes none.

    `titles` are all that might be its title, the best first; `schema_types` the kinds of things it
    says it holds, in lower case (JSON-LD and og:type).
    """

    title: str = ""
    author: str | None = None
    date: str | None = None
    is_date_shown: bool = False
    """The day is only shown: no data and no address name it."""
    description: str = ""
    keywords: str = ""
    canonical: str | None = None
    language: str = ""
    meta: Statements = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    site_name: str = ""
    schema_types: list[str] = field(default_factory=list)
    url: str = ""
    """The address of the page, as it was given."""
    stated_text: str = ""
    """The main text as the page's data have it: articleBody, text or description."""


def read_metadata(
    tree: Tree,
    tags: TagIndex,
    url: str,
    base: str,
    *,
    with_markup: bool = True,
    today: date | None = None,
) -> Metadata:
    """Fuse what JSON-LD, meta elements and the texts around the headline say; trust none blindly.

    Without `with_markup` author and date are not looked for in the body of the page.
    A day after `today` is no day of publication.
    """
    meta = read_meta(tags)
    data = read_json_ld(tags)
    data.types += [kind for kind in map(str.lower, meta.get("og:type", ())[:3]) if kind]
    html = tree.root
    language = (html.attr("lang") or html.attr("xml:lang") or "")[:20] if html is not None else ""
    title = find_title(tags, meta, data, url)
    signals = Signals(meta, data, title, url=url, language=language)
    if with_markup:
        signals.tags, signals.nearby = tags, _look_around(tags, title)
    latest = (today or date.today()) + timedelta(days=1)  # it may be tomorrow where the page is
    day = find_date(signals, latest.isoformat())
    is_shown = day is not None and not is_stated(day, signals, latest.isoformat())
    facts = data.facts
    description = first_of(meta, _DESCRIPTION_NAMES) or clean(as_text(facts.get("description")))
    return Metadata(
        title=title.text,
        author=find_author(signals, has_date=day is not None),
        date=day,
        is_date_shown=is_shown,
        description=description,
        keywords=first_of(meta, _KEYWORD_NAMES) or clean(as_text(facts.get("keywords"))),
        canonical=_find_canonical(tags, base),
        language=language,
        meta=meta,
        titles=title.candidates,
        site_name=title.site_name,
        schema_types=data.types,
        url=url,
        stated_text=_read_text(facts, description),
    )


def _read_text(facts: Properties, description: str) -> str:
    """Return the longest text that the page's data have of its main thing, without markup."""
    texts = [
        as_text(facts.get(name))[:_MAX_TEXT] for name in ("articleBody", "text", "description")
    ]
    text = max(*texts, description, key=len)
    if "<" in text or "&" in text:
        text = turbohtml.parse(unescape(text)).to_text()
    return "\n".join(filter(None, (" ".join(row.split()) for row in text.split("\n"))))


def _look_around(tags: TagIndex, title: Title) -> Nearby:
    """Return the texts around the headline, or those at the start of the article."""
    if title.heading is not None:
        return read_nearby(tags.written, title.heading, title.heading_number)
    container = next((found[0] for tag in ("article", "main") if (found := tags[tag])), None)
    return read_opening(tags.written, container) if container is not None else Nearby()


def _find_canonical(tags: TagIndex, base: str) -> str | None:
    found = tags["link[rel~=canonical i][href]"]
    return resolve_url(base, found[0].attr("href") or "") if found else None
