"""Damage of every kind, done to a real collection, is found; a healthy one is fine."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from isal import igzip

import telusur
from telusur.backends.embedded.verify import MOST_OF_A_KIND, verify_collection
from telusur.backends.tantivy.index import TantivyIndex
from telusur.errors import CollectionError
from telusur.index.contract import IndexItem
from telusur.models import Document


def change(directory, *statements):
    with closing(sqlite3.connect(directory / "collection.db")) as db, db:
        for statement in statements:
            assert db.execute(statement).rowcount > 0, statement


def ask(directory, query):
    with closing(sqlite3.connect(directory / "collection.db")) as db:
        return db.execute(query).fetchone()


def found(directory):
    """Return the kinds of what is wrong."""
    result = verify_collection(directory)
    assert all(problem.sentence.endswith(".") and problem.advice for problem in result.problems)
    return {f"{problem.part}: {problem.kind}" for problem in result.problems}


def archive_of(directory):
    (path,) = (directory / "archive").glob("*.warc.gz")
    return path


def test_the_demo_collection_is_fine(demo):
    steps = set()
    result = verify_collection(demo.directory, lambda step, done, total: steps.add(step))
    assert result.problems == []
    assert result.notes == []
    assert result.is_fine
    assert result.looked_at["pages"] > 500
    assert result.looked_at["records"] >= 2 * result.looked_at["pages"]
    assert steps == {"database", "frontier", "documents", "links", "archive", "index"}


def test_an_empty_collection_is_fine(tmp_path):
    telusur.open(tmp_path / "c").close()
    assert verify_collection(tmp_path / "c").problems == []


def test_documents_given_by_the_user_are_fine(tmp_path):
    with telusur.open(tmp_path / "c") as collection:
        collection.add([Document(url="http://a.example/", title="A", text="Words.")])
        assert collection.verify().problems == []


# The archive


GZIP_HEAD = b"\x1f\x8b\x08"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_flipped_byte_in_the_archive_is_found(demo_copy, share):
    path = archive_of(demo_copy)
    data = bytearray(path.read_bytes())
    place = int(len(data) * share)
    # Time and system in the head of a gzip member (RFC 1952) mean nothing to us, and have no sum.
    if GZIP_HEAD in data[place - 9 : place + len(GZIP_HEAD)]:
        place += 10
    data[place] ^= 0xFF
    path.write_bytes(data)
    result = verify_collection(demo_copy)
    assert {problem.part for problem in result.problems} == {"archive"}
    assert len(result.problems) == 1, "what lies behind the damage is read again"


def test_a_body_that_was_exchanged_is_found_by_its_digest(demo_copy):
    file, offset, length = ask(
        demo_copy,
        "SELECT warc_file, warc_offset, warc_length FROM pages WHERE size_bytes > 500",
    )
    path = demo_copy / "archive" / file
    data = path.read_bytes()
    record = igzip.decompress(data[offset : offset + length])
    swapped = igzip.compress(record[:-200] + bytes(196) + b"\r\n\r\n", 1)
    growth = len(swapped) - length
    path.write_bytes(data[:offset] + swapped + data[offset + length :])
    change(
        demo_copy,
        f"UPDATE pages SET warc_length = {len(swapped)} WHERE warc_offset = {offset}",
        f"UPDATE pages SET warc_offset = warc_offset + {growth} WHERE warc_offset > {offset}",
        f"UPDATE meta SET value = '{file}:{len(data) + growth}' WHERE name = 'archive_end'",
    )
    (problem,) = verify_collection(demo_copy).problems
    assert "content that does not match its digest" in problem.sentence


def test_an_archive_that_was_cut_is_found(demo_copy):
    path = archive_of(demo_copy)
    path.write_bytes(path.read_bytes()[:-3000])
    assert {"archive: end", "archive: damage"} <= found(demo_copy)


def test_an_archive_that_is_gone_is_found(demo_copy):
    archive_of(demo_copy).unlink()
    assert found(demo_copy) == {"archive: file"}


def test_bytes_behind_the_last_commit_are_only_noted(demo_copy):
    path = archive_of(demo_copy)
    path.write_bytes(path.read_bytes() + b"half a record")
    path.with_name("telusur-00002.warc.gz").write_bytes(b"more")
    result = verify_collection(demo_copy)
    assert result.problems == []
    assert [note.sentence[:8] for note in result.notes] == ["13 bytes", "4 bytes "]


def test_a_page_that_points_to_another_record_is_found(demo_copy):
    change(
        demo_copy,
        "UPDATE pages SET url_id = (SELECT url_id FROM pages WHERE seq = 3) WHERE seq = 5",
    )
    assert "archive: url" in found(demo_copy)


def test_a_page_that_points_into_a_record_is_found(demo_copy):
    change(demo_copy, "UPDATE pages SET warc_offset = warc_offset + 1 WHERE seq = 5")
    assert found(demo_copy) == {"archive: place"}


def test_another_status_than_the_archive_has_is_found(demo_copy):
    change(demo_copy, "UPDATE pages SET status = 299 WHERE seq = 5")
    assert found(demo_copy) == {"archive: status"}


# The catalogue and the frontier


def test_a_page_that_is_gone_is_found(demo_copy):
    change(demo_copy, "DELETE FROM pages WHERE seq = 5")
    assert {"archive: unclaimed", "frontier: never fetched"} <= found(demo_copy)


def test_a_url_that_is_gone_is_found(demo_copy):
    change(demo_copy, "DELETE FROM urls WHERE url_id = (SELECT url_id FROM pages WHERE seq = 5)")
    assert "frontier: unknown page" in found(demo_copy)


def test_a_document_that_is_gone_is_found(demo_copy):
    change(demo_copy, "DELETE FROM documents WHERE seq = (SELECT min(seq) FROM documents"
                      " WHERE not_indexed = '')")  # fmt: skip
    assert found(demo_copy) == {"catalogue: no document", "index: unknown"}


def test_a_wrong_counter_is_found(demo_copy):
    change(demo_copy, "UPDATE hosts SET waiting = waiting + 1 WHERE id = 1")
    (problem,) = verify_collection(demo_copy).problems
    assert problem.kind == "counter"
    assert "has a count of 1 waiting URLs, but 0 are waiting" in problem.sentence


def test_a_url_without_its_host_is_found(demo_copy):
    change(demo_copy, "DELETE FROM hosts WHERE id = 1")
    assert "catalogue: reference urls" in found(demo_copy)


def test_a_url_that_cannot_be_found_by_its_id_is_found(demo_copy):
    """The number up to which the sorted runs are complete is too high."""
    with closing(sqlite3.connect(demo_copy / "collection.db")) as db, db:
        db.execute("INSERT OR REPLACE INTO meta VALUES ('seen_to', 100)")
    assert "frontier: seen" in found(demo_copy)


def test_a_url_that_is_there_twice_is_found(demo_copy):
    change(
        demo_copy,
        "UPDATE urls SET url_id = (SELECT url_id FROM urls WHERE seq = 3) WHERE seq = 4",
    )
    assert "frontier: twice" in found(demo_copy)


def test_a_state_that_is_none_is_found(demo_copy):
    change(demo_copy, "UPDATE urls SET state = 9 WHERE seq = 3")
    assert "frontier: state" in found(demo_copy)


def test_leases_of_a_dead_crawl_are_only_noted(demo_copy):
    change(
        demo_copy,
        "UPDATE urls SET state = 1 WHERE seq = 3",
        "UPDATE hosts SET leased = 1 WHERE id = (SELECT host_id FROM urls WHERE seq = 3)",
    )
    result = verify_collection(demo_copy)
    assert result.problems == []
    assert [note.part for note in result.notes] == ["frontier"]


def test_links_that_cannot_be_read_are_found(demo_copy):
    change(demo_copy, "UPDATE links SET links = x'00ff' WHERE url_id ="
                      " (SELECT url_id FROM links LIMIT 1)")  # fmt: skip
    assert found(demo_copy) == {"catalogue: links"}


def test_a_cut_database_is_found(demo_copy):
    path = demo_copy / "collection.db"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert {kind.partition(":")[0] for kind in found(demo_copy)} >= {"catalogue"}


def test_a_database_that_is_none_is_found(demo_copy):
    (demo_copy / "collection.db").write_bytes(b"not a database at all" * 1000)
    assert found(demo_copy) == {"catalogue: database"}


def test_a_flipped_byte_in_the_database_is_found(demo_copy):
    path = demo_copy / "collection.db"
    data = bytearray(path.read_bytes())
    (page_size,) = ask(demo_copy, "PRAGMA page_size")
    (root,) = ask(demo_copy, "SELECT rootpage FROM sqlite_master WHERE name = 'documents'")
    data[(root - 1) * page_size] ^= 0xFF
    path.write_bytes(data)
    assert found(demo_copy) & {"catalogue: database", "catalogue: integrity"}


# The index


def in_index(directory, work):
    index = TantivyIndex(directory / "index")
    work(index)
    index.commit()
    index.close()


def test_a_document_missing_from_the_index_is_found(demo_copy):
    (url_id,) = ask(demo_copy, "SELECT url_id FROM documents WHERE not_indexed = ''")
    in_index(demo_copy, lambda index: index.delete([url_id]))
    (problem,) = verify_collection(demo_copy).problems
    assert "0 times, and should have it once" in problem.sentence


def test_a_document_that_must_not_be_in_the_index_is_found(demo_copy):
    url_id, url = ask(demo_copy, "SELECT url_id, url FROM documents WHERE not_indexed != ''")
    item = IndexItem(url_id, url, Document(url=url, title="T", text="text"))
    in_index(demo_copy, lambda index: index.replace([item]))
    (problem,) = verify_collection(demo_copy).problems
    assert "1 times, and must not have it" in problem.sentence


def test_a_document_that_nobody_knows_is_found(demo_copy):
    item = IndexItem(bytes(16), "http://x.example/", Document(title="T", text="text"))
    in_index(demo_copy, lambda index: index.replace([item]))
    assert found(demo_copy) == {"index: unknown"}


def test_a_flipped_byte_in_the_index_is_found(demo_copy):
    path = max((demo_copy / "index").glob("*.store"), key=lambda path: path.stat().st_size)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    assert found(demo_copy) == {"index: file"}


@pytest.mark.parametrize("ending", ["term", "store", "idx"])
def test_a_cut_file_of_the_index_is_found(demo_copy, ending):
    path = max((demo_copy / "index").glob(f"*.{ending}"), key=lambda path: path.stat().st_size)
    path.write_bytes(path.read_bytes()[:-40])
    assert "index: file" in found(demo_copy)


def test_an_index_without_its_list_of_segments_is_found(demo_copy):
    (demo_copy / "index" / "meta.json").write_text("{")
    assert "index: meta" in found(demo_copy)


def test_an_index_that_lags_is_only_noted(demo_copy):
    shutil.rmtree(demo_copy / "index")
    result = verify_collection(demo_copy)
    assert result.problems == []
    assert [note.part for note in result.notes] == ["index"]


def test_an_index_that_lost_its_documents_is_found(demo_copy):
    position = (demo_copy / "index" / "indexed.json").read_text()
    shutil.rmtree(demo_copy / "index")
    (demo_copy / "index").mkdir()
    (demo_copy / "index" / "indexed.json").write_text(position)
    result = verify_collection(demo_copy)
    assert len(result.problems) == MOST_OF_A_KIND
    assert result.more["index"] > 100


# Bad input


def test_what_is_no_collection_is_refused(tmp_path):
    with pytest.raises(CollectionError):
        verify_collection(tmp_path)
    with pytest.raises(CollectionError):
        verify_collection(tmp_path / "nowhere")
