"""Titles, bylines, dates and captions of a page: what sets of pages count as text, or not.

For the fair comparison of texts, they are taken out of the truth and of every answer alike. They
are found on the page, by its elements and by what is known about it, not by any extractor.
"""

import html as entities
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from telusur.extract.facts.dates import parse_date
from telusur.learn.measures import words_of
from telusur.learn.pages.dataset import LabelledPage
from telusur.models import Block

_CAPTION = re.compile(r"figcaption|caption|cutline|photo-?credit|image-?credit", re.IGNORECASE)
_BYLINE = re.compile(r"byline|author|writer|contributor", re.IGNORECASE)
_DATE = re.compile(r"date|time|publish|posted|timestamp", re.IGNORECASE)
_HEAD_TITLE = re.compile(
    r"<title[^>]*>([^<]{1,500})|<meta[^>]{1,200}og:title[^>]{1,200}?content=[\"']([^\"'>]{1,500})",
    re.IGNORECASE,
)
_MOST_WORDS_OF_CAPTION = 60
_MOST_WORDS_OF_BYLINE = 15
_MOST_WORDS_OF_DATE = 12
# A line may have so many words beside names and dates: "by", "published on", "updated".
_WORDS_BESIDE = 3


@dataclass(slots=True, frozen=True)
class Furniture:
    """The lines of a page that are beside the point, as joined words."""

    # Lines that are nothing else: titles and captions.
    lines: frozenset[str]
    # What bylines and lines of dates are made of, the longest first.
    parts: tuple[str, ...]

    def remove_from(self, text: str) -> str:
        """Return a text without its lines of this kind."""
        return "\n".join(line for line in text.split("\n") if not self._is_furniture(line))

    def _is_furniture(self, line: str) -> bool:
        words = words_of(line)
        joined = " ".join(words)
        if joined in self.lines:
            return bool(words)
        if len(words) > _MOST_WORDS_OF_BYLINE + _MOST_WORDS_OF_DATE:
            return False
        rest = f" {joined} "
        for part in self.parts:
            rest = rest.replace(f" {part} ", "  ")
        return len(rest.split()) <= min(_WORDS_BESIDE, len(words) - 1)


def find_furniture(page: LabelledPage, blocks: Sequence[Block]) -> Furniture:
    """Find titles, captions, bylines and dates among the blocks of a page."""
    titles = [words_of(title) for title in _titles_of(page)]
    # Of many, all but one head a section.
    has_one_heading = sum(block.tag_path.endswith("/h1") for block in blocks) == 1
    lines: set[str] = {" ".join(words_of(page.title))}
    parts = {" ".join(words_of(name)) for name in re.split("[,;]", page.author or "")}
    for block in blocks:
        words = words_of(block.text)
        joined = " ".join(words)
        inner = " ".join(block.selectors.split(" > ")[-2:])
        is_title = (has_one_heading and block.tag_path.endswith("/h1")) or any(
            words and words in (title[: len(words)], title[-len(words) :]) for title in titles
        )
        if is_title or (len(words) <= _MOST_WORDS_OF_CAPTION and _CAPTION.search(inner)):
            lines.add(joined)
        elif _is_byline(words, inner) or _is_date(block.text, words, inner):
            parts.add(joined)
    return Furniture(frozenset(lines), tuple(sorted(filter(None, parts), key=len, reverse=True)))


def _titles_of(page: LabelledPage) -> Iterable[str]:
    for title, shared in _HEAD_TITLE.findall(page.html[:200_000]):
        yield entities.unescape(title or shared)


def _is_byline(words: list[str], inner: str) -> bool:
    return len(words) <= _MOST_WORDS_OF_BYLINE and bool(_BYLINE.search(inner))


def _is_date(text: str, words: list[str], inner: str) -> bool:
    if len(words) > _MOST_WORDS_OF_DATE or not any(sign.isdigit() for sign in text):
        return False
    return bool(_DATE.search(inner)) or parse_date(text) is not None
