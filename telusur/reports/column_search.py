"""Search the catalogue column by column: a walk over all documents that keeps one page of hits."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from math import inf

from telusur.adapters.time_limit import TimeIsUp, time_limit
from telusur.errors import UsageError
from telusur.extract.pattern import compile_pattern
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

MATCH_SECONDS = 1.0
"""What a pattern may take on one document."""
MOST_TOO_LONG = 5
"""A pattern that takes too long on so many documents is given up."""


def search_columns(
    rows: Callable[[], Iterable[sqlite3.Row]],
    request: ColumnRequest,
    clock: Callable[[], float] = time.perf_counter,
) -> ColumnResults:
    """Return one page of the documents in which something fits; all are looked at, to count them.

    `rows` is called when the request makes sense, and gives the columns of each document by name.
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
    rows: Iterable[sqlite3.Row], request: ColumnRequest, find: FindFirst
) -> Iterator[tuple[sqlite3.Row, tuple[ColumnMatch, ...] | None]]:
    """Yield each document with what fits in it, or None when that takes too long to find out."""
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


def _text_of(row: sqlite3.Row, name: str) -> str:
    """Return a column as text; fields of the user's own as JSON with letters as they are."""
    text: str = row[name] or ""
    return json.dumps(json.loads(text), ensure_ascii=False) if name == "fields" and text else text


def _give_up(request: ColumnRequest, too_long: list[str]) -> None:
    if len(too_long) >= MOST_TOO_LONG:
        raise UsageError(
            f"The pattern {request.words!r} takes longer than {MATCH_SECONDS:g} s on each of "
            f"{len(too_long)} documents; write one without a repetition inside a repetition."
        )


def _hit(row: sqlite3.Row, matches: tuple[ColumnMatch, ...]) -> ColumnHit:
    return ColumnHit(row["url"], row["title"], row["date"], row["language"], matches)
