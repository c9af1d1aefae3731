import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import tantivy

from telusur.backends.tantivy.index import RELOAD_SECONDS, TantivyIndex
from telusur.errors import CollectionBusy, CollectionError, StorageError
from telusur.index.fields import STORED_CHARACTERS
from telusur.index.query import Query
from telusur.language.token_table import pack_tokens
from telusur.testing import IndexSuite
from tests.index.conformance import fill, make_item, names_of, word

CAT = Query(wanted=(word("cat"),))

# A process of its own: writes "a", commits, writes "b", says so, and waits to be killed.
WRITER = """
import sys
from pathlib import Path
from telusur.backends.tantivy.index import TantivyIndex
from tests.index.conformance import make_item
index = TantivyIndex(Path(sys.argv[1]))
index.replace([make_item("a", "cat")])
index.commit()
index.replace([make_item("b", "cat")] + [make_item(f"c{n}", "cat " * 500) for n in range(2000)])
print("written", flush=True)
sys.stdin.readline()
index.commit()
print("committed", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def index(tmp_path):
    opened = TantivyIndex(tmp_path / "index")
    yield opened
    opened.close()


class TestIndex(IndexSuite):
    """What every index must do."""

    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path):
        self.directory, self.opened = tmp_path, []
        yield
        for index in self.opened:
            index.close()

    def make_index(self):
        self.opened.append(TantivyIndex(self.directory / f"index-{len(self.opened)}"))
        return self.opened[-1]

    def reopen(self, index):
        return TantivyIndex(self.directory / f"index-{self.opened.index(index)}", read_only=True)


class Clock:
    """A clock that the test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def start_writer(directory):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_reader_may_come_before_the_index(tmp_path):
    directory = tmp_path / "not" / "yet"
    clock = Clock()
    reader = TantivyIndex(directory, read_only=True, clock=clock)
    assert reader.search(CAT).total == 0
    assert reader.count() == 0
    assert dict(reader.languages()) == {}
    assert not directory.exists()
    writer = TantivyIndex(directory)
    clock.now += RELOAD_SECONDS
    assert reader.search(CAT).total == 0
    fill(writer, make_item("a", "cat"))
    clock.now += RELOAD_SECONDS
    assert reader.search(CAT).total == 1
    writer.close()


def test_a_reader_looks_for_news_only_now_and_then(tmp_path, index):
    clock = Clock()
    reader = TantivyIndex(tmp_path / "index", read_only=True, clock=clock)
    assert reader.count() == 0
    fill(index, make_item("a", "cat"))
    clock.now += RELOAD_SECONDS / 2
    assert reader.count() == 0
    clock.now += RELOAD_SECONDS
    assert reader.count() == 1


def test_a_killed_writer_loses_only_what_it_had_not_committed(tmp_path):
    with start_writer(tmp_path) as writer:
        assert writer.stdout.readline() == "written\n"
        os.kill(writer.pid, signal.SIGKILL)
    reader = TantivyIndex(tmp_path, read_only=True)
    assert names_of(reader, CAT) == ["a"]
    after = TantivyIndex(tmp_path)
    fill(after, make_item("d", "cat"))
    assert after.count() == 2
    after.close()


def test_another_process_commits_and_the_reader_sees_it(tmp_path):
    clock = Clock()
    with start_writer(tmp_path) as writer:
        assert writer.stdout.readline() == "written\n"
        reader = TantivyIndex(tmp_path, read_only=True, clock=clock)
        assert reader.count() == 1
        writer.stdin.write("\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == "committed\n"
        clock.now += RELOAD_SECONDS
        assert reader.count() == 2002
        writer.stdin.write("\n")


def test_there_is_one_writer(tmp_path, index):
    with pytest.raises(CollectionBusy, match="Another process is writing"):
        TantivyIndex(tmp_path / "index")
    index.close()
    TantivyIndex(tmp_path / "index").close()


def test_closing_waits_for_segments_that_are_being_merged(tmp_path):
    index = TantivyIndex(tmp_path)
    for number in range(12):
        fill(index, make_item(f"a{number}", "cat " * 2000))
    index.close()
    segments = json.loads((tmp_path / "meta.json").read_text())["segments"]
    assert len(segments) < 8
    assert TantivyIndex(tmp_path, read_only=True).search(CAT).total == 12


def test_merges_that_are_not_waited_for_are_made_by_a_later_commit(tmp_path):
    script = (
        "import sys; from pathlib import Path; from tests.index.conformance import fill, make_item;"
        "from telusur.backends.tantivy.index import TantivyIndex;"
        "index = TantivyIndex(Path(sys.argv[1]));"
        "[fill(index, make_item(f'a{n}', 'cat ' * 2000)) for n in range(12)];"
        "index.close_within(0.0)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
    later = TantivyIndex(tmp_path)
    later.commit()
    assert later.close_within(60.0)
    segments = json.loads((tmp_path / "meta.json").read_text())["segments"]
    assert len(segments) < 8
    assert TantivyIndex(tmp_path, read_only=True).search(CAT).total == 12


def test_a_view_stays_as_long_as_nothing_is_committed(tmp_path, index):
    fill(index, make_item("a", "cat"))
    clock = Clock()
    reader = TantivyIndex(tmp_path / "index", read_only=True, clock=clock)
    before = reader.view()
    clock.now += RELOAD_SECONDS
    assert reader.view() is before
    fill(index, make_item("b", "cat"))
    clock.now += RELOAD_SECONDS
    assert reader.view() is not before
    assert reader.count() == 2


def test_a_closed_index_says_so(tmp_path):
    index = TantivyIndex(tmp_path)
    index.close()
    with pytest.raises(CollectionError, match="is closed"):
        index.commit()


def test_an_index_of_a_newer_program_is_refused_and_kept(tmp_path):
    fill_and_close(tmp_path)
    (tmp_path / "format").write_text("99\n")
    for read_only in (True, False):
        with pytest.raises(CollectionError, match="format 99"):
            TantivyIndex(tmp_path, read_only=read_only)
    assert (tmp_path / "format").read_text() == "99\n"


def test_an_index_that_is_not_ours_is_refused(tmp_path):
    fill_and_close(tmp_path)
    (tmp_path / "format").unlink()
    with pytest.raises(CollectionError, match="not written by Telusur"):
        TantivyIndex(tmp_path)


@pytest.mark.parametrize("pattern", ["*.store", "*.term", "*.idx", "meta.json", "format"])
@pytest.mark.parametrize("content", [b"", b"damaged"])
def test_damage_is_one_clear_sentence(tmp_path, pattern, content):
    fill_and_close(tmp_path)
    for path in tmp_path.glob(pattern):
        path.write_bytes(content)
    with pytest.raises(CollectionError, match=r"The index .* is damaged"):
        TantivyIndex(tmp_path, read_only=True).search(CAT)


def test_a_file_in_the_way_is_one_clear_sentence(tmp_path):
    (tmp_path / "index").write_text("a file")
    with pytest.raises((StorageError, CollectionError), match=str(tmp_path)):
        TantivyIndex(tmp_path / "index")


def test_odd_characters_are_taken(index):
    fill(index, make_item("a\ud800", "cat \x00 \ud800 \x1f end", title="\ud800", language="\ud800"))
    found = index.search(CAT)
    assert found.total == 1
    (entry,) = found.entries
    assert (entry.title, entry.language, entry.text) == ("?", "?", "cat \x00 ? \x1f end")


def test_a_document_that_cannot_be_analysed_keeps_no_other_out(index, caplog):
    items = [make_item(name, "cat") for name in "abc"]
    index.replace(items)
    odd = replace(items[1], document=replace(items[1].document, title=None))  # of a damaged row
    index.replace([items[0], odd, items[2]])
    index.commit()
    assert sorted(names_of(index, CAT)) == ["a", "c"]
    assert f"{odd.url} is not indexed" in caplog.text


def test_what_is_stored_to_be_shown_is_not_indexed_a_second_time(tmp_path, index):
    fill(index, make_item("a", "cat dog"), make_item("b", ""))
    tantivy_index = tantivy.Index.open(str(tmp_path / "index"))
    searcher = tantivy_index.searcher()
    words = {name: searcher.terms_with_prefix(name, "", limit=9) for name in ("exact", "text")}
    assert ("dog", 1) in words["exact"]
    assert [word for word, _ in words["text"] if word] == []


def test_a_document_that_cannot_be_there_is_not_deleted_first(tmp_path, monkeypatch):
    deleted = []
    index = TantivyIndex(tmp_path)
    real = index._delete

    class Watched:
        def __init__(self, writer):
            self._writer = writer

        def delete_documents_by_term(self, field, value):
            deleted.append(value)
            self._writer.delete_documents_by_term(field, value)

    monkeypatch.setattr(index, "_delete", lambda writer, url_id: real(Watched(writer), url_id))
    items = [make_item(name, "cat") for name in "abc"]
    fill(index, *items)
    index.delete([make_item("d", "cat").url_id])
    assert deleted == []
    fill(index, items[0], make_item("d", "cat"), make_item("d", "cat dog"))
    assert deleted == [items[0].url_id.hex(), make_item("d", "").url_id.hex()]
    assert sorted(names_of(index, CAT)) == ["a", "b", "c", "d"]
    index.clear()
    deleted.clear()
    fill(index, *items)
    assert (deleted, sorted(names_of(index, CAT))) == ([], ["a", "b", "c"])
    index.close()


def test_documents_of_an_earlier_writer_are_replaced(tmp_path):
    fill_and_close(tmp_path)
    index = TantivyIndex(tmp_path)
    fill(index, make_item("a", "cat dog"), make_item("b", "cat"))
    assert sorted(names_of(index, CAT)) == ["a", "b"]
    index.clear()
    # What fails before the commit was never cleared.
    index._drop_writer()
    fill(index, make_item("a", "cat"))
    assert sorted(names_of(index, CAT)) == ["a", "b"]
    index.close()


class Shelf:
    """Texts that are kept beside the index."""

    def __init__(self):
        self.texts, self.closed = {}, 0

    def read(self, url_ids):
        return {url_id: self.texts[url_id] for url_id in url_ids if url_id in self.texts}

    def close(self):
        self.closed += 1


def test_texts_kept_elsewhere_are_not_stored_and_are_read_there(tmp_path):
    shelf, items = Shelf(), [make_item("a", "cat one"), make_item("b", "cat two 猫")]
    shelf.texts = {item.url_id: item.document.text for item in items}
    index = TantivyIndex(tmp_path, texts=shelf)
    fill(index, *items)
    entries = index.search(CAT).entries
    assert {entry.text for entry in entries} == {"cat one", "cat two 猫"}
    index.close()
    assert shelf.closed == 1
    searcher = tantivy.Index.open(str(tmp_path)).searcher()
    for _, address in searcher.search(tantivy.Query.all_query(), 9).hits:
        assert searcher.doc(address).get_first("text") is None
    shelf.texts.popitem()
    reader = TantivyIndex(tmp_path, read_only=True, texts=shelf)
    assert {entry.text for entry in reader.search(CAT).entries} == {"cat one", ""}
    shelf.texts[items[0].url_id] = "x" * 200_000
    assert max(len(entry.text) for entry in reader.search(CAT).entries) == STORED_CHARACTERS


@pytest.mark.parametrize(
    ("text", "language", "has_table"),
    [("cat dog", "en", False), ("猫は座る" * 9, "ja", True), ("kucing cat", "id", True)],
)
def test_a_table_is_stored_only_if_snippets_need_it(index, text, language, has_table):
    fill(index, make_item("a", f"cat {text}", language=language))
    (entry,) = index.search(CAT).entries
    assert bool(entry.tokens) == has_table
    assert entry.token_table == pack_tokens(f"cat {text}", language)


def test_threads_search_while_the_index_grows(index):
    fill(index, make_item("a", "cat"))
    with ThreadPoolExecutor(4) as pool:
        totals = pool.map(lambda _: index.search(CAT).total, range(100))
        for number in range(5):
            fill(index, make_item(f"b{number}", "cat"))
        assert all(1 <= total <= 6 for total in totals)
    assert index.search(CAT).total == 6


def fill_and_close(directory):
    index = TantivyIndex(directory)
    fill(index, make_item("a", "cat"))
    index.close()


def test_a_new_index_keeps_documents_in_small_blocks_and_an_old_one_goes_on(tmp_path):
    path = tmp_path / "meta.json"
    index = TantivyIndex(tmp_path)
    fill(index, make_item("a", "cat"))
    index.close()
    meta = json.loads(path.read_text())
    assert meta["index_settings"]["docstore_blocksize"] == 2_048
    meta["index_settings"]["docstore_blocksize"] = 16_384
    path.write_text(json.dumps(meta))
    index = TantivyIndex(tmp_path)
    fill(index, make_item("b", "cat"))
    assert sorted(names_of(index, CAT)) == ["a", "b"]
    index.close()
    assert json.loads(path.read_text())["index_settings"] == meta["index_settings"]
