import sqlite3

import pytest

import telusur
from telusur.backends.sqlite.database.schema import DATABASE
from telusur.backends.sqlite.database.texts import SqliteTexts
from telusur.errors import CollectionError


@pytest.fixture
def directory(tmp_path):
    with telusur.open(tmp_path / "collection") as collection:
        collection.add(
            telusur.Document(url=f"http://a.example/{n}", text=f"cat {n} 猫") for n in range(250)
        )
    return tmp_path / "collection"


def ids_of(directory):
    with sqlite3.connect(directory / DATABASE) as db:
        return [url_id for (url_id,) in db.execute("SELECT url_id FROM documents ORDER BY seq")]


def test_texts_are_read_by_id_however_many_and_unknown_ones_are_left_out(directory):
    texts, ids = SqliteTexts(directory), ids_of(directory)
    found = texts.read([*ids, b"0" * 16])
    assert [found[url_id] for url_id in ids] == [f"cat {n} 猫" for n in range(250)]
    assert len(found) == 250
    assert texts.read([]) == {}
    texts.close()


def test_a_text_is_the_current_one_and_closing_is_not_for_ever(directory):
    texts, ids = SqliteTexts(directory), ids_of(directory)
    assert texts.read(ids[:1]) == {ids[0]: "cat 0 猫"}
    texts.close()
    texts.close()
    with telusur.open(directory) as collection:
        collection.add([telusur.Document(url="http://a.example/0", text="dog")])
        assert texts.read(ids[:1]) == {ids[0]: "dog"}
    texts.close()


def test_nothing_is_opened_before_the_first_text(tmp_path):
    texts = SqliteTexts(tmp_path / "nowhere")
    texts.close()
    with pytest.raises(CollectionError, match="there is no such directory"):
        texts.read([b"1" * 16])


def test_damage_is_one_clear_sentence(directory):
    ids = ids_of(directory)
    path = directory / DATABASE
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(CollectionError, match="cannot be read"):
        SqliteTexts(directory).read(ids)
