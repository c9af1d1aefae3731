"""Queries from the general index of a documentation made by Sphinx: what an entry points to."""

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

# Grades: the index prints the main place of an entry in bold.
MAIN, ALSO = 2, 1
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
_NO_WORD = re.compile(r"[^\w.]+")
_CHANCE = 5


@dataclass(slots=True)
class Entry:
    """A line of the index, the line it stands below, and the pages it points to."""

    above: "Entry | None" = None
    text: str = ""
    grades: dict[str, int] = field(default_factory=dict)

    @property
    def is_another(self) -> bool:
        """Tell whether it means another thing of the same name: "(in module os)" below open()."""
        return self.text.startswith("(")


class _Reader(HTMLParser):
    """Walks over the lists of the index; lists in lists are entries below a heading."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        self._open: list[Entry] = []
        self._target = ""
        self._in_table = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an entry or a link; `strong` marks the link it is in."""
        values = dict(attrs)
        if tag == "table" and "indextable" in (values.get("class") or ""):
            self._in_table = True
        elif self._in_table and tag == "li":
            self._open.append(Entry(above=self._open[-1] if self._open else None))
            self.entries.append(self._open[-1])
        elif self._open and tag == "a":
            self._target = (values.get("href") or "").partition("#")[0]
            self._open[-1].grades.setdefault(self._target, ALSO)
        elif self._open and tag == "strong" and self._target:
            self._open[-1].grades[self._target] = MAIN

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened."""
        if tag == "table":
            self._in_table = False
        elif tag == "li" and self._open:
            self._open.pop()
        elif tag == "a":
            self._target = ""

    def handle_data(self, data: str) -> None:
        """The first words of an entry are its text; [1], [2] only number its further links."""
        if self._open and data.strip(" ,\n") and not re.fullmatch(r"\s*\[\d+\]\s*,?\s*", data):
            self._open[-1].text = f"{self._open[-1].text} {data.strip()}".strip()


def read_entries(file: Path) -> list[Entry]:
    """Return the entries of an index that point somewhere."""
    reader = _Reader()
    reader.feed(file.read_text("utf-8"))
    return [entry for entry in reader.entries if entry.grades]


def query_of(entry: Entry) -> str:
    """Return an entry as somebody would type it: no brackets, no quotes.

    The words of another thing of the same name take the place of those above.
    """
    above = entry.above.text if entry.above is not None else ""
    above = _QUALIFIER.sub("", above) if entry.is_another else above
    words = _NO_WORD.sub(" ", f"{above} {entry.text}")
    return " ".join(word for word in words.split() if word.strip("._")).lower()


def answers_of(entry: Entry) -> dict[str, int]:
    """Return the right pages with their grades: also those of the line above, if it means more."""
    if entry.above is None or entry.is_another:
        return entry.grades
    return dict.fromkeys(entry.above.grades, ALSO) | entry.grades


def make_queries(
    entries: list[Entry], pages: frozenset[str], most: int
) -> list[tuple[str, dict[str, int]]]:
    """Return queries of at least two words with graded pages, a sample that is always the same."""
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for entry in entries:
        for page, grade in answers_of(entry).items():
            known = judged[query_of(entry)]
            if page in pages:
                known[page] = max(grade, known.get(page, 0))
    usable = sorted((words, grades) for words, grades in judged.items()
                    if grades and len(words.split()) > 1)  # fmt: skip
    return random.Random(_CHANCE).sample(usable, min(most, len(usable)))
