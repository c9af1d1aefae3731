"""The overlap of the lines of a page with its metadata."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.compiled import native
from telusur.extract.facts.dates import parse_date
from telusur.extract.facts.metadata import Metadata

COUNT = 11
_YEAR = re.compile(r"(?:19|20)\d\d")
_CLOCK = re.compile(r"\d{1,2}:\d\d|\bago\b|\byang lalu\b|\bönce\b")
_LONG_STATEMENT = 150  # characters; shorter texts in the data of a page are no content
_SHORT = 160  # characters; titles, bylines and dates are
_TELLING = 20  # characters; shorter texts may occur anywhere
_START = 60
_ROOM = 8  # how much longer or shorter a text may get by folding its case


def hold_against(texts: list[str], metadata: Metadata, digits: Floats) -> Floats:
    """Return one row per line; `digits` says how many digits each has.

    Columns: occurred above; is the title; share of its words in the title; is part of the
    description, of the text in the page's data; whether there is one; names the author; has a year;
    is the date; has a time; how often it occurs on the page.
    """
    if native is not None:
        return _hold_natively(texts, metadata, digits)
    table = np.zeros((len(texts), COUNT), np.float32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    short = np.flatnonzero(lengths <= _SHORT)
    table[:, 0], table[:, 10] = _count(texts)
    title = metadata.title.casefold()
    if title:
        near = short[np.abs(lengths[short] - len(title)) <= _ROOM]
        _put(table, 1, near, (texts[at].casefold() == title for at in near.tolist()))
        table[short, 2] = _share_words([texts[at] for at in short.tolist()], set(title.split()))
    telling = np.flatnonzero(lengths > _TELLING)
    starts = [texts[at][:_START].casefold() for at in telling.tolist()]
    for column, known in ((3, metadata.description), (4, metadata.stated_text)):
        if known:
            known = known.casefold()  # noqa: PLW2901
            _put(table, column, telling, (start in known for start in starts))
    table[:, 5] = len(metadata.stated_text) > _LONG_STATEMENT
    for name in filter(None, (metadata.author or "").split(", ")):
        table[short, 6] += [name in texts[at] for at in short.tolist()]
    np.minimum(table[:, 6], 1, out=table[:, 6])
    for at in short[digits[short] > 0].tolist():
        text = texts[at]
        table[at, 9] = _CLOCK.search(text) is not None
        if digits[at] >= 4 and _YEAR.search(text) is not None:
            table[at, 7] = 1
            table[at, 8] = metadata.date is not None and parse_date(text) == metadata.date
    return table


def _hold_natively(texts: list[str], metadata: Metadata, digits: Floats) -> Floats:
    title = metadata.title.casefold()
    stated = metadata.stated_text.casefold()
    names = tuple(filter(None, (metadata.author or "").split(", ")))
    words = native.Lexicon(dict.fromkeys(title.split(), 1))
    known = (title, words, metadata.description.casefold(), stated, names)
    rows = native.hold(texts, np.ascontiguousarray(digits), *known)
    table = np.frombuffer(bytearray(rows), np.float32).reshape(-1, COUNT)
    table[:, 5] = len(metadata.stated_text) > _LONG_STATEMENT
    if metadata.date is not None:
        for at in np.flatnonzero(table[:, 7]).tolist():
            table[at, 8] = parse_date(texts[at]) == metadata.date
    return table


def _put(table: Floats, column: int, rows: Ints, values: Iterable[bool]) -> None:
    table[rows, column] = np.fromiter(values, bool, len(rows))


def _count(texts: list[str]) -> tuple[Floats, Floats]:
    """Return whether each text occurred above, and the logarithm of its frequency."""
    numbers = range(len(texts) - 1, -1, -1)
    first = dict(zip(reversed(texts), numbers, strict=True))
    is_again = np.fromiter(map(first.__getitem__, texts), np.int64) != np.arange(len(texts))
    if not is_again.any():
        return is_again.astype(np.float32), np.zeros(len(texts), np.float32)
    counts = np.fromiter(map(Counter(texts).__getitem__, texts), np.float32)
    return is_again.astype(np.float32), np.log(np.minimum(counts, 9))


def _share_words(texts: list[str], known: set[str]) -> list[float]:
    """Return which share of the words of each text is known."""
    shares = []
    for text in texts:
        words = text.casefold().split()
        shares.append(sum(map(known.__contains__, words)) / max(1, len(words)))
    return shares
