"""The headings of a page that belong to its content, with their levels."""

from collections.abc import Iterable, Iterator
from itertools import islice

from turbohtml import Document as Tree

from telusur.models import Heading

MOST_HEADINGS = 200
MOST_LOOKED_AT = 2_000
_MOST_CHARACTERS = 300
_ALL_LEVELS = "h1, h2, h3, h4, h5, h6"


def find_headings(
    tree: Tree, text: str, known: Iterable[tuple[int, str]] | None = None
) -> list[Heading]:
    """Return the first-level headings, and all headings that are lines of the text.

    Headings of menus and boxes are not part of the text. `known` are the levels and texts of all
    headings, if they were already found.
    """
    lines = set(text.split("\n"))
    found = []
    for level, words in islice(_read_headings(tree) if known is None else known, MOST_LOOKED_AT):
        if words and (level == 1 or words in lines):
            found.append(Heading(level, words[:_MOST_CHARACTERS]))
            if len(found) == MOST_HEADINGS:
                break
    return found


def _read_headings(tree: Tree) -> Iterator[tuple[int, str]]:
    for element in tree.select(_ALL_LEVELS):
        yield int(element.tag[1]), " ".join(element.text.split())
