"""What every implementation of blobs must do: `BlobsSuite`."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from telusur.store.blobs import Blobs

ROW = np.dtype([("number", "<u8"), ("rank", "<f4")])


class BlobsSuite:
    """A piece is there whole, or not at all."""

    def make_blobs(self) -> Blobs:
        """Return blobs without any piece."""
        raise NotImplementedError

    def reopen(self, blobs: Blobs) -> Blobs:
        """Return the blobs as another process opens them; without persistence, the same ones."""
        return blobs

    def test_what_was_written_is_read_back(self) -> None:
        blobs = self.make_blobs()
        pieces = {"index/a.json": b"{}", "labels/b.tsv": bytes(range(256)), "index/empty": b""}
        for name, data in pieces.items():
            blobs.write(name, data)
        again = self.reopen(blobs)
        assert {name: again.read(name) for name in pieces} == pieces

    def test_what_was_never_written_is_not_there(self) -> None:
        blobs = self.make_blobs()
        blobs.write("index/a", b"owls")
        assert (blobs.read("index/b"), blobs.read("nowhere/a")) == (None, None)
        assert (blobs.stamp("index/b"), blobs.stamp("nowhere/a")) == (None, None)

    def test_a_piece_is_replaced_whole(self) -> None:
        blobs = self.make_blobs()
        for data in (b"a long piece of data", b"short", b"", b"longer again"):
            blobs.write("index/a", data)
            assert self.reopen(blobs).read("index/a") == data

    def test_readers_never_see_half_a_piece(self) -> None:
        blobs = self.make_blobs()
        reader = self.reopen(blobs)
        pieces = [bytes([letter]) * 100_000 for letter in b"ab"]
        blobs.write("index/a", pieces[0])

        def write() -> None:
            for number in range(60):
                blobs.write("index/a", pieces[number % 2])

        with ThreadPoolExecutor(1) as threads:
            writing = threads.submit(write)
            while not writing.done():
                assert reader.read("index/a") in pieces
            writing.result()

    def test_what_is_added_stands_at_the_end(self) -> None:
        blobs = self.make_blobs()
        blobs.append("index/log", b"one ")
        blobs.append("index/log", b"two ")
        blobs.write("index/other", b"begun ")
        blobs.append("index/other", b"and done")
        again = self.reopen(blobs)
        assert again.read("index/log") == b"one two "
        assert again.read("index/other") == b"begun and done"

    def test_a_deleted_piece_is_gone(self) -> None:
        blobs = self.make_blobs()
        blobs.write("index/a", b"owls")
        blobs.write("index/b", b"bats")
        blobs.delete("index/a")
        blobs.delete("index/a")
        blobs.delete("nowhere/a")
        assert (blobs.read("index/a"), blobs.stamp("index/a")) == (None, None)
        assert blobs.names("index") == ["index/b"]
        blobs.write("index/a", b"again")
        assert blobs.read("index/a") == b"again"

    def test_the_pieces_of_a_folder_in_order(self) -> None:
        blobs = self.make_blobs()
        for name in ("labels/b", "labels/a.tsv", "index/a", "labels/C"):
            blobs.write(name, b"x")
        blobs.write("labels/b", b"y")
        blobs.write_array("labels/d.npy", np.zeros(1, ROW))
        names = ["labels/C", "labels/a.tsv", "labels/b", "labels/d.npy"]
        assert self.reopen(blobs).names("labels") == names
        assert (blobs.names("index"), blobs.names("nowhere")) == (["index/a"], [])

    def test_a_stamp_tells_whether_a_piece_was_replaced(self) -> None:
        blobs = self.make_blobs()
        blobs.write("index/a", b"owls")
        stamp = blobs.stamp("index/a")
        assert stamp is not None
        assert {blobs.stamp("index/a"), self.reopen(blobs).stamp("index/a")} == {stamp}
        blobs.write("index/b", b"owls")
        assert blobs.stamp("index/a") == stamp
        # Writing the same bytes again makes another version.
        blobs.write("index/a", b"owls")
        assert blobs.stamp("index/a") != stamp
        blobs.write_array("index/c", np.zeros(3, ROW))
        stamp = blobs.stamp("index/c")
        blobs.write_array("index/c", np.zeros(3, ROW))
        assert blobs.stamp("index/c") not in (stamp, None)

    # Arrays

    def test_rows_are_read_back(self) -> None:
        blobs = self.make_blobs()
        rows = make_rows(1_000)
        blobs.write_array("ranks/all.npy", rows)
        read = self.reopen(blobs).read_array("ranks/all.npy", ROW)
        assert (read.dtype, len(read)) == (ROW, 1_000)
        assert (read == rows).all()

    def test_rows_that_are_missing_or_of_another_kind_are_none(self) -> None:
        blobs = self.make_blobs()
        blobs.write_array("index/numbers", np.arange(5))
        blobs.write_array("index/square", np.zeros((2, 2), ROW))
        blobs.write("index/bytes", b"no rows at all")
        for name in ("index/numbers", "index/square", "index/bytes", "index/nothing"):
            rows = blobs.read_array(name, ROW)
            assert (len(rows), rows.dtype, rows.ndim) == (0, ROW, 1), name

    def test_no_rows_are_rows_too(self) -> None:
        blobs = self.make_blobs()
        blobs.write_array("index/a", make_rows(5))
        blobs.write_array("index/a", make_rows(0))
        assert len(blobs.read_array("index/a", ROW)) == 0
        assert blobs.stamp("index/a") is not None

    def test_who_has_rows_keeps_them_when_they_are_replaced(self) -> None:
        blobs = self.make_blobs()
        written = make_rows(500)
        blobs.write_array("index/a", written)
        old = blobs.read_array("index/a", ROW)
        written["rank"] = -1.0
        blobs.write_array("index/a", make_rows(3))
        assert (old == make_rows(500)).all()
        assert len(blobs.read_array("index/a", ROW)) == 3
        blobs.delete("index/a")
        assert (old == make_rows(500)).all()

    # Files for work

    def test_a_file_for_work_is_gone_behind_the_block(self) -> None:
        blobs = self.make_blobs()
        with blobs.scratch() as file, blobs.scratch() as other:
            make_rows(10).tofile(file)
            other.write(b"other")
            file.flush()
            assert os.fstat(file.fileno()).st_size == 10 * ROW.itemsize
            file.seek(0)
            assert (np.fromfile(file, ROW) == make_rows(10)).all()
        assert file.closed
        assert blobs.names("index") == []

    def test_a_person_can_read_where_a_piece_lies(self) -> None:
        blobs = self.make_blobs()
        assert "label" in blobs.place_of("labels/label.tsv")
        assert blobs.place_of("labels/a") != blobs.place_of("labels/b")


def make_rows(number: int) -> "np.ndarray[tuple[int], np.dtype[np.void]]":
    """Return this many different rows."""
    rows = np.zeros(number, ROW)
    rows["number"] = np.arange(number)
    rows["rank"] = np.arange(number) / 8
    return rows
