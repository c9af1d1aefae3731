"""The indexer process: follows the catalogue by itself, seconds behind the crawl.

It reads documents by their growing number, replaces them in the index, commits, and only then
remembers the number, so that a kill at any moment repeats work and never loses any. It ends when
the process that started it does, or after catching up when told to finish.
"""

import select
import signal
import sqlite3
import sys
from pathlib import Path

from telusur.adapters.memory import return_large_blocks
from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.adapters.tantivy_index import TantivyIndex
from telusur.errors import TelusurError
from telusur.run.index_position import INDEX, read_position, write_position
from telusur.run.settling import Background, forget_anchors, make_item
from telusur.run.vectors import AUTO, VectorWork

BATCH = 500
BATCH_CHARACTERS = 5_000_000
PAUSE_SECONDS = 1.5
"""Commits cost by their number; a page is found within 5 seconds all the same."""
BACKGROUND_SECONDS = 0.08
"""CPU time for static rank and link texts, each time."""
VECTOR_SECONDS = 0.3
"""CPU time for vectors, each time: a fifth of a processor, some 50 pages a second."""
LAST_SECONDS = 1.0
"""The same when the crawl has ended; `telusur index --settle` brings the rest."""


def catch_up(directory: Path, connection: sqlite3.Connection, index: TantivyIndex) -> int:
    """Bring the index level with the catalogue; return how many documents were looked at."""
    seen = 0
    position = read_position(directory)
    if not position:  # documents are indexed again that are there, without their link texts
        forget_anchors(directory / INDEX)
    while rows := _changed_after(connection, position):
        gone = [row["url_id"] for row in rows if row["not_indexed"]]
        index.delete(gone)
        index.replace(make_item(row) for row in rows if not row["not_indexed"])
        index.commit()
        position = rows[-1]["seq"]
        write_position(directory, position)
        seen += len(rows)
    return seen


def correct_position(directory: Path, connection: sqlite3.Connection) -> None:
    """Bring the position back to the catalogue's end before anything is added.

    After a power cut the catalogue may be a second behind the index, and its numbers come again.
    """
    (newest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
    if read_position(directory) > newest:
        forget_anchors(directory / INDEX)
        write_position(directory, newest)


def _changed_after(connection: sqlite3.Connection, position: int) -> list[sqlite3.Row]:
    """Return the next documents, as many as fit into a batch and into memory."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    query = "SELECT * FROM documents WHERE seq > ? ORDER BY seq LIMIT ?"
    rows: list[sqlite3.Row] = []
    characters = 0
    for row in cursor.execute(query, (position, BATCH)):
        rows.append(row)
        characters += len(row["text"])
        if characters > BATCH_CHARACTERS:
            break
    cursor.close()
    return rows


def follow(directory: Path, vectors: str = AUTO) -> None:
    """Index what arrives until standard input closes (stop at once) or says so (catch up first)."""
    connection = connect(directory, read_only=True)
    index = TantivyIndex(directory / INDEX)
    background = Background(directory / INDEX, connection, index)
    vector_work = VectorWork(directory, vectors)
    pause = 0.0  # begin at once: one that is killed again and again gets further all the same
    with storage_errors(directory):
        while True:
            ready, _, _ = select.select([sys.stdin], [], [], pause)
            pause = PAUSE_SECONDS
            word = sys.stdin.readline() if ready else "go on\n"
            if not word:
                return
            catch_up(directory, connection, index)
            if word == "finish\n":
                background.work(LAST_SECONDS, is_last=True)
                index.close()
                vector_work.finish(LAST_SECONDS)
                return
            background.work(BACKGROUND_SECONDS)
            vector_work.work(VECTOR_SECONDS)


def main() -> None:
    """Run as `python -m telusur.run.indexer DIRECTORY [VECTORS]`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    return_large_blocks()
    try:
        follow(Path(sys.argv[1]), *sys.argv[2:3])
    except TelusurError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
