"""What the record of a site says about one page, line by line, in numbers and in words."""

from dataclasses import dataclass, field

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.classifier import ClassifiedLines
from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.page.layout import Layout
from telusur.extract.site.evidence import FACTS, PageEvidence, gather_evidence
from telusur.extract.site.judging import LEAST_PAGES, SiteJudgement, judge_lines
from telusur.extract.site.record import OfPlace, SiteRecord

# A place where the title stands on so many of its pages, and on this share of them.
_TITLE_PAGES = 2
_TITLE_SHARE = 0.5
_TITLE_WORDS = 40
_LONGEST_DATE = 200  # characters
# The part of the stated title that the line must be.
_TITLE_PART = 0.3
# A text or place is worth a word from this share of the pages on.
_TOLD_SHARE = 0.3
_TOLD_REPEATING = 0.6
_TOLD_CHANGE = 0.15


@dataclass(slots=True)
class PageOnSite:
    """One page beside the others of its site."""

    layout: Layout
    evidence: PageEvidence
    judgement: SiteJudgement
    # The line that is the title, if only its place tells.
    title_line: int | None = None
    # The lines that may be the title, best first.
    titles: list[int] = field(default_factory=list)
    # The lines that are labelled title, author or date.
    fact_lines: frozenset[int] = frozenset()
    # The lines that stand where the author or the date does on other pages.
    fact_places: dict[int, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return the title, if only its place tells; else nothing."""
        return "" if self.title_line is None else self.layout.texts[self.title_line]

    @property
    def says_something(self) -> bool:
        """Tell whether enough of the site was seen to read the page otherwise than alone."""
        return self.judgement.pages >= LEAST_PAGES

    @property
    def likely(self) -> Floats:
        """Return for each line the corrected probability that it is content."""
        return self.judgement.likely

    def settle(self, facts: dict[int, str], metadata: Metadata) -> None:
        """Take down where title, author and date are, for the next pages of the site.

        `facts` are the lines with these labels. Of several the one counts that says what the data
        of the page say.
        """
        self.fact_lines = frozenset(facts)
        for number, name in enumerate(FACTS):
            lines = sorted(line for line, label in facts.items() if label == name)
            if name == "title":
                lines = self.titles[:1]
            elif name == "author" and metadata.author:
                lines = [line for line in lines if self._names(line, metadata.author)]
            elif name == "date" and metadata.date:
                lines = [line for line in lines if self._has_day(line, metadata)]
            if lines:
                self.evidence.facts[number] = self.evidence.place_of[lines[0]]

    def _names(self, line: int, author: str) -> bool:
        text = self.layout.texts[line]
        return any(name in text for name in author.split(", "))

    def _has_day(self, line: int, metadata: Metadata) -> bool:
        month_first = is_month_first(metadata.language, metadata.url)
        days = find_dates(self.layout.texts[line][:_LONGEST_DATE], month_first=month_first)
        return any(found.day == metadata.date for found in days)

    def explain(self, line: int) -> str:
        """Return what other pages of the site say about a line, in words; often nothing."""
        known = self.judgement
        # The end of a very long page is not examined.
        if known.pages < LEAST_PAGES or line >= len(known.repeats):
            return ""
        of_pages = f"of {known.pages} other pages of this site"
        if known.repeats[line] >= _TOLD_SHARE * known.pages:
            return f"repeats on {known.repeats[line]} {of_pages}"
        place = f"{known.place_pages[line]} {of_pages} have this place"
        if known.place_pages[line] < LEAST_PAGES:
            return ""
        if line in self.fact_places:
            return f"{place}, mostly with the {self.fact_places[line]}"
        if known.repeating[line] >= _TOLD_REPEATING:
            return f"{place}, and {known.repeating[line]:.0%} of its texts repeat"
        change = known.likely[line] - self.evidence.likely[line]
        if abs(change) < _TOLD_CHANGE or line in self.fact_lines:
            return ""
        return f"{place}, {'mostly' if change > 0 else 'seldom'} with content"


def look_at_page(
    record: SiteRecord, layout: Layout, reading: ClassifiedLines, metadata: Metadata
) -> PageOnSite:
    """Return a page that the network has read beside the others of its site."""
    evidence = gather_evidence(layout, reading.scores[:, 0], reading.words, metadata.url)
    view = PageOnSite(layout, evidence, judge_lines(record, evidence, reading.page_type))
    view.titles = _find_titles(layout, evidence, metadata.title)
    if view.titles and layout.texts[view.titles[0]].casefold() != metadata.title.casefold():
        view.title_line = _choose_title(record, view)
    return view


def _find_titles(layout: Layout, page: PageEvidence, title: str) -> list[int]:
    """Return the lines, alone at their places, that are the title or a part of it; best first."""
    title = title.casefold()
    alone = np.bincount(page.place_of)[page.place_of] == 1
    short = (alone & (page.words <= _TITLE_WORDS)).nonzero()[0].tolist()
    texts = {line: layout.texts[line].casefold() for line in short}
    least = max(3, _TITLE_PART * len(title))
    parts = [line for line, text in texts.items() if len(text) >= least and text in title]
    return sorted(parts, key=lambda line: -len(texts[line]))


def _choose_title(record: SiteRecord, view: PageOnSite) -> int | None:
    """Return the part of the stated title that stands where titles stand on other pages.

    A page that shows its whole title needs no help.
    """
    page, known = view.evidence, view.judgement
    own = int(record.knows(page.address))
    rows = record.places.find(page.places[page.place_of[view.titles]])
    for line, row in zip(view.titles, rows, strict=True):
        pages = row[OfPlace.PAGES] - own
        with_title = row[OfPlace.FACTS + FACTS.index("title")] - own * (line == view.titles[0])
        is_usual = with_title >= max(_TITLE_PAGES, _TITLE_SHARE * pages)
        if is_usual and not known.repeats[line]:
            return line
    return None
