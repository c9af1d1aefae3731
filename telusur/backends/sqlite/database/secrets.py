"""Removes secrets that an older version wrote into the database."""

import json
import sqlite3

from telusur.crawl.secrets import without_secrets


def take_out_secrets(connection: sqlite3.Connection) -> None:
    """Replace secrets in the settings of all crawls, and wipe their traces from the file."""
    rows = connection.execute("SELECT id, settings FROM crawls").fetchall()
    changed = [
        (json.dumps(kept), number)
        for number, stored in rows
        if (kept := without_secrets(told := json.loads(stored))) != told
    ]
    if not changed:
        return
    connection.execute("PRAGMA secure_delete = ON")
    connection.executemany("UPDATE crawls SET settings = ? WHERE id = ?", changed)
    connection.execute("PRAGMA secure_delete = OFF")
    # The log has the old pages too.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
