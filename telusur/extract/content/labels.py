"""Labels the lines of a page as content, title, author, date or other, by the model's scores."""

import re
from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.content.classifier import ClassifiedLines, read_lines
from telusur.extract.content.model import LABELS, Model, choose_content, shipped_model
from telusur.extract.content.notices import is_notice
from telusur.extract.content.second_look import fill_holes
from telusur.extract.content.set_apart import silence_parts
from telusur.extract.content.teasers import drop_pointers, drop_teasers
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.layout import Layout
from telusur.extract.site.page_on_site import PageOnSite, look_at_page
from telusur.extract.site.record import SiteRecord
from telusur.extract.threads.posts import may_be_thread

# The rest of a longer page is not classified line by line, to save memory.
MAX_LINES = 6000
_LAST_LINES = 500
# Page types with many short parts, where a part may be only a heading.
LISTS = ("collection", "listing", "service")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_DIGITS_OF_DATE = 4
# Chosen on pages of sites that the model had not seen.
_LIKELY_FACT = 0.5
_LIKELY_AUTHOR = 0.6
_LIKELY_DATE = 0.4
_PERHAPS = 0.02
_SAME_TITLE = 0.7
# Words, and share of the words, that the frame of the site must leave of a text.
_LEAST_LEFT = 25
_LEAST_SHARE = 0.2
_LIKELY_STANDFIRST = 0.6
_BYLINE = 40  # characters that a byline may have besides names
_WORD = re.compile(r"\w+")
_TITLE, _AUTHOR, _DATE = (LABELS.index(label) for label in ("title", "author", "date"))


@dataclass(slots=True)
class Labelled:
    """The labels of a page's lines, the lines that make up its text, and the type of page."""

    labels: list[str]
    content: list[int]
    page_type: str = ""
    # The page beside the others of its site, if it was read with the record of the site; and what
    # its labels would be without.
    site: PageOnSite | None = None
    alone: "Labelled | None" = None
    # The lines that have enough digits for a date; None if that is not known.
    dated: list[int] | None = None


def label_lines(
    layout: Layout,
    metadata: Metadata,
    model: Model | None = None,
    site: SiteRecord | None = None,
) -> Labelled:
    """Label every line: content, title, author, date or other.

    The text is the content without title, byline and date, which a document has separately; only
    for a product the name is part of the text. `site` is what is known about the page's site.
    """
    texts = layout.texts
    if not texts:
        return Labelled([], [])
    if len(texts) > MAX_LINES:
        return _label_long_page(layout, metadata, model, site)
    reading = read_lines(model or shipped_model(), layout, metadata)
    facts = _find_facts(reading.scores, texts, metadata)
    chosen = _choose_lines(layout, reading, reading.scores[:, 0], metadata)
    labelled = alone = _label(layout, metadata, reading, chosen, facts)
    if reading.digits is not None:
        alone.dated = np.flatnonzero(reading.digits >= _DIGITS_OF_DATE).tolist()
    if site is None:
        return alone
    beside = look_at_page(site, layout, reading, metadata)
    if beside.says_something:
        better = _choose_lines(layout, reading, beside.likely, metadata)
        better = _keep_own_paragraphs(better, chosen, beside.judgement.repeats, layout)
        if _is_emptied(better, chosen, reading.words):
            better = chosen
        title = beside.title_line
        if title is not None:
            facts = {line: label for line, label in facts.items() if label != "title"}
            facts[title] = "title"
        if better != chosen or title is not None:
            labelled = _label(layout, metadata, reading, better, facts)
            labelled.alone, labelled.dated = alone, alone.dated
    beside.settle(facts, metadata)
    labelled.site = beside
    return labelled


def _keep_own_paragraphs(
    better: list[int], chosen: list[int], repeats: Ints, layout: Layout
) -> list[int]:
    """Return the better lines and paragraphs beside them that the network alone had chosen.

    The short ones of a site may be something else on its other pages. No other page has these.
    """
    kept = set(better)
    for line in chosen:
        if line in kept or line >= len(repeats) or repeats[line]:
            continue
        kind = _kind_of(line, layout)
        if any(near in kept and _kind_of(near, layout) == kind for near in (line - 1, line + 1)):
            kept.add(line)
    return sorted(kept)


def _kind_of(line: int, layout: Layout) -> tuple[int, int]:
    """Return the parent and the names of a line's element."""
    element = int(layout.containers[line])
    return int(layout.parents[element]), int(layout.names_of[element])


def _is_emptied(better: list[int], chosen: list[int], words: Floats) -> bool:
    """Tell whether hardly anything is left of a text: then the pages of the site are copies."""
    left, whole = float(words[better].sum()), float(words[chosen].sum())
    return left < min(_LEAST_LEFT, _LEAST_SHARE * whole)


def _find_facts(scores: Floats, texts: list[str], metadata: Metadata) -> dict[int, str]:
    """Return the lines that are dates, authors or the title, with that label."""
    facts = dict.fromkeys((scores[:, _DATE] > _LIKELY_DATE).nonzero()[0].tolist(), "date")
    authors = _find_authors(scores[:, _AUTHOR], texts, metadata.author or "")
    facts |= dict.fromkeys(authors, "author")
    title = _find_title(scores[:, _TITLE], texts, metadata.title)
    return facts if title is None else facts | {title: "title"}


def _label(
    layout: Layout,
    metadata: Metadata,
    reading: ClassifiedLines,
    chosen: list[int],
    facts: dict[int, str],
) -> Labelled:
    """Label the lines of a page: the chosen ones as content, facts as such."""
    labels = ["other"] * len(layout.texts)
    page_type = reading.page_type
    for line in chosen:
        labels[line] = "content"
    if page_type not in ("collection", "listing"):
        _drop_notices(labels, chosen, layout)
    if page_type not in LISTS:
        likely = reading.scores[:, 0] if page_type == "article" else None
        _drop_lone_headings(labels, layout, likely)
    for line, label in facts.items():
        labels[line] = label
    is_product = page_type == "product" or "product" in metadata.schema_types
    in_text = ("content", "title") if is_product else ("content",)
    content = [line for line in chosen if labels[line] in in_text]
    return Labelled(labels, content, page_type)


def _choose_lines(
    layout: Layout, reading: ClassifiedLines, likely: Floats, metadata: Metadata
) -> list[int]:
    """Return the lines of the content: the likeliest ones, as a text without holes and teasers."""
    words = reading.words
    is_article = reading.page_type == "article" and not metadata.is_front_page
    if is_article and not may_be_thread("article", metadata.schema_types, metadata.url):
        likely = silence_parts(likely, words, layout, metadata.title, reading.senses)
    chosen = fill_holes(choose_content(likely, words), likely, words, layout)
    if is_article:
        chosen = drop_teasers(chosen, likely, words, layout)
        chosen = drop_pointers(chosen, likely, words, layout)
    lines: list[int] = chosen.tolist()
    return lines


def _drop_notices(labels: list[str], chosen: list[int], layout: Layout) -> None:
    for line in chosen:
        if is_notice(layout.texts[line], int(layout.linked[line])):
            labels[line] = "other"


def _drop_lone_headings(labels: list[str], layout: Layout, likely: Floats | None) -> None:
    """Drop headings that are not followed by content; on articles a likely one is a standfirst."""
    if _HEADINGS.isdisjoint(names[0] for names in layout.names):
        return
    following = "other"
    tags = layout.line_tags()
    for line in range(len(labels) - 1, -1, -1):
        is_lone = labels[line] == "content" != following and tags[line] in _HEADINGS
        if is_lone and (likely is None or likely[line] < _LIKELY_STANDFIRST):
            labels[line] = "other"
        following = labels[line]


def _label_long_page(
    layout: Layout, metadata: Metadata, model: Model | None, site: SiteRecord | None
) -> Labelled:
    """Label the first lines of a very long page; the others get the majority label of the last."""
    labelled = label_lines(layout.first(MAX_LINES), metadata, model, site)
    rest = range(MAX_LINES, len(layout.texts))
    for each in filter(None, (labelled, labelled.alone)):
        is_content = each.labels[-_LAST_LINES:].count("content") > _LAST_LINES // 2
        each.labels += ["content" if is_content else "other"] * len(rest)
        each.content += rest if is_content else []
    return labelled


def _find_title(scores: Floats, texts: list[str], title: str) -> int | None:
    """Return the line that is the title, if there is one; agreement with the head helps."""
    wanted = _words(title)
    least, most = len(title) // 2, 2 * len(title) + 19
    if wanted:
        start = wanted[0]
        near = [number for number, text in enumerate(texts) if least <= len(text) <= most]
        near = [number for number in near if start in texts[number].lower()]
        if same := [number for number in near if _words(texts[number]) == wanted]:
            scores = scores.copy()
            scores[same] += np.float32(_SAME_TITLE)
    best = int(scores.argmax())
    return best if scores[best] > _LIKELY_FACT else None


def _find_authors(scores: Floats, texts: list[str], author: str) -> list[int]:
    """Return the lines that are bylines: certain ones, or likely ones with the author's name.

    If some name the author, the others are bylines of other stories.
    """
    names = [name for name in author.split(", ") if name]
    longest = len(author) + _BYLINE
    likely = (scores > _PERHAPS).nonzero()[0].tolist()
    naming = {line for line in likely if any(name in texts[line] for name in names)}
    certain = [line for line in likely if scores[line] > _LIKELY_AUTHOR]
    named = [line for line in naming if line in certain or len(texts[line]) < longest]
    return sorted(named) or certain


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
