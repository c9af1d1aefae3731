"""The history of a URL: how it was found, and the result of each fetch."""

import sqlite3
from collections.abc import Iterator

from telusur.backends.sqlite.frontier.intake import STATES
from telusur.backends.sqlite.operation_times import operations_column, unpack_operations
from telusur.models import Event, State, Story


def read_story(cursor: sqlite3.Cursor, url_id: bytes) -> Story | None:
    """Return the history of a URL, oldest first."""
    row = cursor.execute(
        "SELECT urls.*, parents.url AS parent_url, title, not_indexed FROM urls"
        " LEFT JOIN urls AS parents ON parents.seq = seq_of(urls.parent)"
        " LEFT JOIN documents ON documents.url_id = urls.url_id"
        " WHERE urls.seq = seq_of(?)",
        (url_id,),
    ).fetchone()
    if row is None:
        return None
    fetches = cursor.execute(
        "SELECT fetched_at, final, reason, status, seconds,"  # noqa: S608 - names of ours
        f" {operations_column(cursor.connection)} FROM pages WHERE url_id = ? ORDER BY seq",
        (url_id,),
    ).fetchall()
    state = STATES[row["state"]]
    return Story(
        url=row["url"],
        state=state,
        reason=row["reason"],
        depth=row["depth"],
        parent=row["parent_url"],
        anchor=row["anchor"],
        changed_at=row["changed_at"],
        events=tuple(_events(row, state, fetches)),
        indexed=row["not_indexed"] == "",
        title=row["title"] or "",
        operations=_operations_of(fetches[-1]) if fetches else {},
    )


def _events(row: sqlite3.Row, state: State, fetches: list[sqlite3.Row]) -> Iterator[Event]:
    yield Event(row["found_at"], State.WAITING, _how_found(row))
    for fetch in fetches:
        after = state if fetch["final"] else State.WAITING
        yield Event(fetch["fetched_at"], after, fetch["reason"], fetch["status"])
    has_final_fetch = any(fetch["final"] for fetch in fetches)
    if not has_final_fetch and state is not State.WAITING:
        yield Event(row["changed_at"], state, row["reason"])


def _operations_of(fetch: sqlite3.Row) -> dict[str, float]:
    return {"fetch": fetch["seconds"], **unpack_operations(fetch["operations"])}


def _how_found(row: sqlite3.Row) -> str:
    if row["parent_url"] is None:
        return f"named by {row['anchor']}" if row["anchor"] else "start URL"
    words = f' by the link "{row["anchor"]}"' if row["anchor"] else ""
    return f"found on {row['parent_url']}{words}"
