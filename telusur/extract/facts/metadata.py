"""The metadata of a page: title, author, date, description, keywords, canonical URL."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from html import unescape

import turbohtml
from turbohtml import Document as Tree

from telusur.extract.facts.authors import find_author
from telusur.extract.facts.json_ld import Properties, as_text, read_json_ld
from telusur.extract.facts.main_image import find_image
from telusur.extract.facts.nearby import Nearby, read_around, read_nearby, read_opening
from telusur.extract.facts.publication_date import find_date
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.stated_people import find_group, is_stated
from telusur.extract.facts.statements import Statements, clean, first_of, read_meta
from telusur.extract.facts.titles import Title, find_title
from telusur.extract.page.dom import TagIndex
from telusur.extract.page.resolve import resolve_url

_MAX_TEXT = 200_000
_DESCRIPTION_NAMES = ("description", "og:description", "dc.description", "twitter:description")
_KEYWORD_NAMES = ("keywords", "news_keywords", "parsely-tags", "dc.subject")


@dataclass(slots=True)
class Metadata:
    """The metadata of a page, empty where there is none.

    `titles` are all candidates for the title, best first; `schema_types` the declared types of its
    contents, in lower case (JSON-LD and og:type).
    """

    title: str = ""
    author: str | None = None
    # The organisation declared as author, if no person is named beside the headline.
    author_group: str = ""
    # The author is only in the visible text, not in data.
    is_author_shown: bool = False
    date: str | None = None
    # The date is only in the visible text, not in data or the URL.
    is_date_shown: bool = False
    # The page is the front page of its site, not a single article.
    is_front_page: bool = False
    # It declares products or lists, and no article.
    has_wares: bool = False
    description: str = ""
    keywords: str = ""
    canonical: str | None = None
    language: str = ""
    meta: Statements = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    site_name: str = ""
    schema_types: list[str] = field(default_factory=list)
    # The address of the page, as it was given.
    url: str = ""
    # The URL of the main image.
    image: str = ""
    # The main text in the page's data: articleBody, text or description.
    stated_text: str = ""


def read_metadata(
    tree: Tree,
    tags: TagIndex,
    url: str,
    base: str,
    *,
    with_markup: bool = True,
    today: date | None = None,
    site_names: Iterable[str] = (),
) -> Metadata:
    """Combine JSON-LD, meta elements and the texts around the headline; trust none blindly.

    Without `with_markup` author and date are not searched in the body of the page. A date after
    `today` is not a date of publication. `site_names` are what other pages of the site have before
    or after their titles.
    """
    meta = read_meta(tags)
    data = read_json_ld(tags)
    data.types += [kind for kind in map(str.lower, meta.get("og:type", ())[:3]) if kind]
    html = tree.root
    language = (html.attr("lang") or html.attr("xml:lang") or "")[:20] if html is not None else ""
    title = find_title(tags, meta, data, url, site_names=site_names)
    signals = Signals(meta, data, title, url=url, language=language)
    if with_markup:
        signals.tags, signals.nearby = tags, _look_around(tags, title)
    # It may already be tomorrow at the place of the page.
    latest = (today or date.today()) + timedelta(days=1)
    day = find_date(signals, latest.isoformat())
    author = find_author(signals, has_date=day is not None)
    facts = data.facts
    description = first_of(meta, _DESCRIPTION_NAMES) or clean(as_text(facts.get("description")))
    return Metadata(
        title=title.text,
        author=author,
        author_group=find_group(signals) if author is None else "",
        is_author_shown=author is not None and not is_stated(author, signals),
        date=day.day if day else None,
        is_date_shown=day is not None and not day.is_stated,
        is_front_page=title.is_front_page,
        has_wares=signals.has_wares,
        description=description,
        keywords=first_of(meta, _KEYWORD_NAMES) or clean(as_text(facts.get("keywords"))),
        canonical=_find_canonical(tags, base),
        language=language,
        meta=meta,
        titles=title.candidates,
        site_name=title.site_name,
        schema_types=data.types,
        url=url,
        image=find_image(tags, meta, data, base, with_markup=with_markup),
        stated_text=_read_text(facts, description),
    )


def _read_text(facts: Properties, description: str) -> str:
    """Return the longest text of the main thing in the page's data, without markup."""
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
    if title.place >= 0:
        return read_around(tags.written, title.place)
    container = next((found[0] for tag in ("article", "main") if (found := tags[tag])), None)
    return read_opening(tags.written, container) if container is not None else Nearby()


def _find_canonical(tags: TagIndex, base: str) -> str | None:
    found = tags["link[rel~=canonical i][href]"]
    return resolve_url(base, found[0].attr("href") or "") if found else None
