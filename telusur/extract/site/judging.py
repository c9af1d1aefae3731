"""Corrects the network's opinion about the lines of a page by what is known about its site."""

from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.site.evidence import PageEvidence, log_odds
from telusur.extract.site.record import OfPlace, OfText, SiteRecord

# With fewer other pages nothing is said: one may be a copy of the other.
LEAST_PAGES = 2
# Log-odds and shares, measured as a set: see docs/decisions/0080-learning-a-site.md.
_PLACE_WEIGHT = 0.7
_CERTAIN_SHARE = 0.4
_REPEATED_TEXT = 8.0
_REPEATING_PLACE = 4.0
_REPEATING_FROM = 0.3
_REPEATING_PAGES = 4
_UNLIKE_CORE = 0.6
_MARGIN = 2.0
_CORE_SHARE = 0.5
# What another page has too is no frame if it is more likely content than this.
_LIKELY = 0.8
# What so many pages have, and certainly repeats, is frame, even if most of the page is.
_FRAME_PAGES = 5
# With this to that share of repeated content, a page is taken for a copy of another, unless it has
# so many words of its own.
_COPY_FROM = 0.5
_COPY_TO = 0.8
_OWN_WORDS = 60
# Pages of records and tables: what repeats in them may be content.
_RECORDS = ("collection", "documentation", "listing", "product", "service")
# On so many pages a text of theirs is frame.
_RECORD_PAGES = 4


@dataclass(slots=True)
class SiteJudgement:
    """What the record of a site says about the lines of one page."""

    # How many other pages count.
    pages: int
    # For each line, on how many of them the same text stands at the same place ...
    repeats: Ints
    # ... and how many have its place.
    place_pages: Ints
    # For each line, the mean log-odds that its place is content on those pages.
    certainties: Floats
    # For each line, the share of the lines at its place that repeat.
    repeating: Floats
    # For each line, the corrected probability that it is content.
    likely: Floats


def judge_lines(record: SiteRecord, page: PageEvidence, page_type: str = "") -> SiteJudgement:
    """Return the corrected probabilities of a page's lines, and the reasons.

    If the page itself is in the record, it does not count.
    """
    own = int(record.knows(page.address))
    pages = record.pages - own
    repeats = np.maximum(record.texts.find(page.texts)[:, OfText.PAGES] - own, 0)
    places = record.places.find(page.places)
    seen = np.maximum(places[:, OfPlace.PAGES] - own, 0)
    sums = places[:, OfPlace.CERTAINTY] - (page.certainties() if own else 0)
    certainties = np.where(seen > 0, sums / np.maximum(seen, 1), 0)
    repeating = places[:, OfPlace.REPEATED] / np.maximum(places[:, OfPlace.LINES], 1)
    of = page.place_of
    judgement = SiteJudgement(
        pages, repeats.astype(np.int64), seen[of].astype(np.int64),
        certainties[of].astype(np.float32), repeating[of].astype(np.float32), page.likely,
    )  # fmt: skip
    if pages >= LEAST_PAGES:
        odds = _correct(judgement, page, page_type)
        judgement.likely = (1 / (1 + np.exp(-odds))).astype(np.float32)
    return judgement


def _correct(known: SiteJudgement, page: PageEvidence, page_type: str) -> Floats:
    """Return the log-odds of the lines.

    1. A place is believed to be what it was on other pages. 2. A text that repeats at its place is
    frame, also on a few pages if others at this place do. 3. The text of a copied page is no frame,
    nor are teasers on a page of teasers and the labels of records. 4. A place far less certain than
    the core of the site's pages is no content.
    """
    trust = _PLACE_WEIGHT * known.place_pages / (known.place_pages + 1)  # 1
    odds = (1 - trust) * log_odds(page.likely) + trust * known.certainties
    pages = np.maximum(known.place_pages, LEAST_PAGES)  # 2
    share = np.minimum(known.repeats / pages / _CERTAIN_SHARE, 1).astype(np.float32)
    is_clear = (known.place_pages >= _REPEATING_PAGES) & (known.repeats > 0)
    over = np.maximum(known.repeating - _REPEATING_FROM, 0) / (1 - _REPEATING_FROM)
    repeating = np.where(is_clear, over, 0)
    share[(known.repeats == 1) & (page.likely > _LIKELY)] = 0  # 3
    is_frame = (known.repeats >= _FRAME_PAGES) & (share >= 1)
    originality = np.where(is_frame, 1, _originality(page, known.repeats))
    if page_type in _RECORDS:
        is_label = _occurrences(page) > 1
        share = np.where(is_label | (known.repeats < _RECORD_PAGES), 0, share)
        repeating = np.where(is_label, 0, repeating)
    frame = np.maximum(_REPEATED_TEXT * share, _REPEATING_PLACE * repeating)
    corrected: Floats = odds - originality * frame - _unlikeness(known, page)  # 4
    return corrected


def _originality(page: PageEvidence, repeats: Ints) -> float:
    """Return 1 for a page with content of its own, 0 for a copy of another or a list of teasers."""
    content = page.likely * page.words
    total = max(1e-6, float(content.sum()))
    own = float(content[repeats == 0].sum())
    by_share = (own / total - (1 - _COPY_TO)) / (_COPY_TO - _COPY_FROM)
    return min(1.0, max(0.0, by_share, own / _OWN_WORDS))


def _occurrences(page: PageEvidence) -> Ints:
    """Return for each line how often its text stands at its place on this page."""
    _, inverse, counts = np.unique(page.texts, return_inverse=True, return_counts=True)
    found: Ints = counts[inverse]
    return found


def _unlikeness(known: SiteJudgement, page: PageEvidence) -> Floats:
    """Return for each line by how much its place is less certain than the core of the pages."""
    certainties = known.certainties
    is_core = known.place_pages >= _CORE_SHARE * known.pages
    is_core &= known.repeating < _CORE_SHARE
    mass = np.where(is_core, page.words / (1 + np.exp(-certainties)), 0)
    total = float(mass.sum())
    core = float((certainties * mass).sum()) / total if total else 0.0
    gap = _UNLIKE_CORE * np.maximum(core - certainties - _MARGIN, 0)
    unlike: Floats = np.where((known.place_pages >= LEAST_PAGES) & (total > 0), gap, 0)
    return unlike
