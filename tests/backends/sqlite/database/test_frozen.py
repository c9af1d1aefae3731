import shutil
import sqlite3
from contextlib import closing

import pytest

from telusur.backends.sqlite.database.schema import DATABASE, connect, create_database
from telusur.backends.sqlite.reader import SqliteReader
from telusur.errors import CollectionError, StorageError
from tests.rights import contents, read_only, unreadable


@pytest.fixture
def directory(tmp_path):
    place = tmp_path / "c"
    place.mkdir()
    create_database(place)
    with closing(connect(place, read_only=False)) as writer:
        add_site(writer, "in.the.file")
    return place


def add_site(connection, name):
    connection.execute("INSERT INTO sites (site) VALUES (?)", (name,))


def sites_of(connection):
    return [name for (name,) in connection.execute("SELECT site FROM sites ORDER BY site")]


def copy_while_written(directory, target, without=()):
    """Copy a collection whose last change is only in the log, as a crash leaves it behind."""
    with closing(connect(directory, read_only=False)) as writer:
        add_site(writer, "in.the.log")
        shutil.copytree(directory, target, ignore=lambda _, names: set(names) & set(without))
    return target


@pytest.mark.parametrize("files", [True, False])
def test_a_database_without_a_log_is_read_where_nothing_may_be_made(directory, files):
    before = contents(directory)
    with read_only(directory, files=files):
        with closing(connect(directory, read_only=True)) as connection:
            assert sites_of(connection) == ["in.the.file"]
        with closing(SqliteReader(directory)) as reader:
            assert reader.counts().found == 0
    assert contents(directory) == before


@pytest.mark.parametrize("files", [True, False])
@pytest.mark.parametrize("without", [(), (f"{DATABASE}-shm",)])
def test_what_is_only_in_the_log_is_read_too(directory, tmp_path, files, without):
    copy = copy_while_written(directory, tmp_path / "copy", without)
    before = contents(copy)
    assert f"{DATABASE}-wal" in before
    with read_only(copy, files=files), closing(connect(copy, read_only=True)) as connection:
        assert sites_of(connection) == ["in.the.file", "in.the.log"]
    after = contents(copy)
    assert {name: after[name] for name in before if not name.endswith("-shm")} == {
        name: data for name, data in before.items() if not name.endswith("-shm")
    }


def test_a_reader_follows_when_somebody_who_may_does_write(directory):
    """It was opened without locks, so it must notice by itself that its file is another one."""
    with read_only(directory):
        reader = SqliteReader(directory)
    with closing(reader), closing(connect(directory, read_only=False)) as owner:
        assert reader.counts().found == 0
        for number in range(3):
            add_site(owner, f"later{number}.example")
            assert len(sites_of(reader._db)) == 2 + number
            owner.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert len(sites_of(reader._db)) == 2 + number


def test_writing_is_refused_with_a_sentence(directory):
    before = contents(directory)
    with read_only(directory), pytest.raises(StorageError, match="cannot be written"):
        connect(directory, read_only=False)
    assert contents(directory) == before


def test_a_database_that_may_not_be_read_is_named(directory):
    with (
        unreadable(directory / DATABASE),
        pytest.raises(CollectionError, match=f"{DATABASE}: you may not read"),
    ):
        connect(directory, read_only=True)
    with unreadable(directory), pytest.raises(CollectionError, match="c: you may not read"):
        connect(directory, read_only=True)


def test_a_damaged_database_is_damaged_there_too(directory):
    (directory / DATABASE).write_bytes(b"not a database" * 1000)
    with (
        read_only(directory),
        pytest.raises(CollectionError, match=r"cannot be read .*not a database"),
    ):
        connect(directory, read_only=True)


def test_a_frozen_connection_cannot_write(directory):
    with read_only(directory), closing(connect(directory, read_only=True)) as connection:  # noqa: SIM117
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            add_site(connection, "mine.example")
