"""The authors that the data of a page name: JSON-LD, meta elements, cards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from telusur.extract.facts.json_ld import StructuredData, as_text, types_of
from telusur.extract.facts.names import is_byline_label, split_names
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.site_names import host_labels, squeeze
from telusur.extract.facts.statements import Statements

_META_NAMES = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author",
    "parsely-author", "sailthru.author", "byl", "article:author_name", "og:article:author",
    "authors", "dc.contributor", "cxenseparse:author", "shareaholic:article_author_name",
)  # fmt: skip
# Whoever declares one of these names the author on purpose, if only the house.
_SIGNED = frozenset(("recipe", "newsarticle", "reportagenewsarticle"))
_ARTICLE = 3  # letters: "Die Furche" of furche.example


@dataclass(slots=True)
class StatedNames:
    """The authors that the data of a page name, and what they are."""

    names: list[str]
    are_people: bool = True
    # It is the name of the site or its publisher; many people name their site after themselves.
    is_publisher: bool = False


def find_stated(signals: Signals) -> StatedNames:
    """Return the names that JSON-LD or meta elements give; looked for once a page."""
    if signals.stated is None:
        signals.stated = _find_stated(signals)
    return signals.stated


def _find_stated(signals: Signals) -> StatedNames:
    data, meta = signals.data, signals.meta
    first = StatedNames([])
    for properties in (data.facts, data.page, *data.others):
        for key in ("author", "creator"):
            if key not in properties:
                continue
            found = _read_people(properties[key], data)
            found.is_publisher = len(found.names) == 1 and is_publisher(found.names[0], signals)
            if found.names and not (found.is_publisher and first.names):
                if found.are_people and not found.is_publisher:
                    return found
                first = first if first.names else found
    if first.names:
        return first
    values = [value for key in _META_NAMES if key in meta for value in meta[key][:20]]
    values = values or _announced_in_cards(meta)
    found = StatedNames(unique(name for value in values for name in split_names(value)))
    found.is_publisher = len(found.names) == 1 and is_publisher(found.names[0], signals)
    return found


def _announced_in_cards(meta: Statements) -> list[str]:
    """Return what cards for social networks announce as the author: label1, data1 and so on."""
    labels = {number: meta.get(f"twitter:label{number}", [""])[0] for number in (1, 2)}
    numbers = [number for number, label in labels.items() if is_byline_label(label.strip())]
    return [value for number in numbers for value in meta.get(f"twitter:data{number}", ())]


def is_publisher(name: str, signals: Signals) -> bool:
    """Tell whether a name is that of the site or its publisher."""
    squeezed = squeeze(name)
    if squeezed in _publishers(signals):
        return True
    return any(
        label in squeezed and len(squeezed) <= len(label) + _ARTICLE
        for label in host_labels(signals.url)
    )


def is_stated(author: str, signals: Signals) -> bool:
    """Tell whether the data of the page name some of these authors, joined by commas."""
    return not set(find_stated(signals).names).isdisjoint(author.split(", "))


def names_publisher(name: str, signals: Signals) -> bool:
    """Tell whether a name may be that of the publisher, shortened or with more words."""
    if _names_host(name, signals):
        return True
    squeezed = squeeze(name)
    return any(
        len(each) > _ARTICLE and (each in squeezed or squeezed in each)
        for each in _publishers(signals)
    )


def _publishers(signals: Signals) -> list[str]:
    """Return the names of the site and its publisher, squeezed to their letters."""
    publisher = signals.data.resolve(signals.data.facts.get("publisher"))
    names = [signals.title.site_name]
    if isinstance(publisher, dict) and "person" not in types_of(publisher):
        names.append(as_text(publisher.get("name")))
    return list(map(squeeze, filter(None, names)))


def find_group(signals: Signals) -> str:
    """Return the organisation that the data name as the author; the site only of some things."""
    stated = find_stated(signals)
    is_page = signals.title.is_front_page or (signals.has_wares and not signals.data.is_article)
    if stated.are_people or is_page:
        return ""
    is_byline = not _SIGNED.isdisjoint(signals.data.types)
    return ", ".join(name for name in stated.names if is_byline or not _names_host(name, signals))


def _names_host(name: str, signals: Signals) -> bool:
    """Tell whether an organisation is the site, by its name or by that of the host in it."""
    if is_publisher(name, signals):
        return True
    return any(label in squeeze(name) for label in host_labels(signals.url))


def _read_people(value: Any, data: StructuredData) -> StatedNames:
    """Read an author in JSON-LD: a name, an object with one, a reference, or a list of them."""
    people: list[str] = []
    organisations: list[str] = []
    for given in value[:20] if isinstance(value, list) else [value]:
        item = data.resolve(given)
        if isinstance(item, str):
            people += split_names(item)
        elif isinstance(item, dict):
            kinds = types_of(item)
            is_group = any("organi" in kind or "corporation" in kind for kind in kinds)
            (organisations if is_group else people).extend(split_names(as_text(item.get("name"))))
    if people:
        return StatedNames(unique(people))
    return StatedNames(unique(organisations), are_people=False)


def unique(names: Iterable[str]) -> list[str]:
    """Return the names, each once, in their order."""
    return list(dict.fromkeys(names))
