"""Searches columns of the catalogue: walks over all documents, and keeps one page of hits."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from math import inf

from telusur.errors import UsageError
from telusur.extract.writing.pattern import compile_pattern
from telusur.machine.time_limit import TimeIsUp, time_limit
from telusur.search.columns import (
    ColumnHit,
    ColumnMatch,
    ColumnRequest,
    ColumnResults,
    FindFirst,
    find_pattern,
    find_plain,
    match_columns,
)
from telusur.store.reader import ColumnRow

# The time limit of a pattern on one document.
MATCH_SECONDS = 1.0
# A pattern that exceeds it on this many documents is given up.
MOST_TOO_LONG = 5


def search_columns(
    rows: Callable[[], Iterable[ColumnRow]],
    request: ColumnRequest,
    clock: Callable[[], float] = time.perf_counter,
) -> ColumnResults:
    """Return one page of the matching documents; all are searched, to count them.

    `rows` is called after the request was checked; it yields the columns of each document.
    """
    started = clock()
    request.check()
    find = _finder(request)
    first = (request.page - 1) * request.limit
    ends_at = inf if request.seconds is None else started + request.seconds
    total, hits, too_long, is_complete = 0, [], [], True
    for row, matches in _walk(rows(), request, find):
        if clock() > ends_at:
            is_complete = False
            break
        if matches is None:
            too_long.append(row["url"])
            _give_up(request, too_long)
        elif matches:
            if first <= total < first + request.limit:
                hits.append(_hit(row, matches))
            total += 1
    return ColumnResults(
        words=request.words,
        columns=request.columns,
        total=total,
        hits=tuple(hits),
        page=request.page,
        limit=request.limit,
        seconds=clock() - started,
        too_long=tuple(too_long),
        is_complete=is_complete,
    )


def _finder(request: ColumnRequest) -> FindFirst:
    if request.is_regex:
        return find_pattern(compile_pattern(request.words))
    return find_plain(request.words)


def _walk(
    rows: Iterable[ColumnRow], request: ColumnRequest, find: FindFirst
) -> Iterator[tuple[ColumnRow, tuple[ColumnMatch, ...] | None]]:
    """Yield each document with its matches, or None if the pattern took too long."""
    for row in rows:
        columns = [(name, _text_of(row, name)) for name in request.columns]
        if not request.is_regex:
            yield row, match_columns(columns, find)
            continue
        try:
            with time_limit(MATCH_SECONDS):
                matches = match_columns(columns, find)
        except TimeIsUp:
            yield row, None
        else:
            yield row, matches


def _text_of(row: ColumnRow, name: str) -> str:
    """Return a column as text; the user's fields as JSON without escaped letters."""
    text: str = row[name] or ""
    return json.dumps(json.loads(text), ensure_ascii=False) if name == "fields" and text else text


def _give_up(request: ColumnRequest, too_long: list[str]) -> None:
    if len(too_long) >= MOST_TOO_LONG:
        raise UsageError(
            f"The pattern {request.words!r} takes longer than {MATCH_SECONDS:g} s on each of "
            f"{len(too_long)} documents; avoid a repetition inside a repetition."
        )


def _hit(row: ColumnRow, matches: tuple[ColumnMatch, ...]) -> ColumnHit:
    return ColumnHit(row["url"], row["title"], row["date"], row["language"], matches)
