import sqlite3

import pytest

from telusur.backends.sqlite.database.schema import DATABASE, connect, create_database
from telusur.backends.sqlite.database.tables import FORMAT
from telusur.errors import CollectionError


def test_a_new_database_opens_for_reading_and_writing(tmp_path):
    create_database(tmp_path)
    for read_only in (False, True):
        connection = connect(tmp_path, read_only=read_only)
        assert connection.execute("SELECT count(*) FROM urls").fetchone() == (0,)
        connection.close()


def test_a_reader_cannot_write(tmp_path):
    create_database(tmp_path)
    connection = connect(tmp_path, read_only=True)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM urls")
    connection.close()


def set_format(directory, number):
    connection = sqlite3.connect(directory / DATABASE)
    connection.execute("UPDATE meta SET value = ? WHERE name = 'format'", (number,))
    connection.commit()
    connection.close()


def test_a_newer_collection_is_refused_and_left_alone(tmp_path):
    create_database(tmp_path)
    set_format(tmp_path, FORMAT + 1)
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(CollectionError, match="upgrade Telusur"):
        connect(tmp_path, read_only=False)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / DATABASE).write_text("this is not a database, however long it goes on" * 100)
    with pytest.raises(CollectionError, match="cannot be read"):
        connect(tmp_path, read_only=True)


def test_directories_that_are_no_collection_are_told_apart(tmp_path):
    with pytest.raises(CollectionError, match="there is no such directory"):
        connect(tmp_path / "missing", read_only=True)
    with pytest.raises(CollectionError, match="is not a collection"):
        connect(tmp_path, read_only=True)
    (tmp_path / "file").touch()
    with pytest.raises(CollectionError, match="this is a file"):
        connect(tmp_path / "file", read_only=True)
