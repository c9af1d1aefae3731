import gzip
import random
from dataclasses import replace

import pytest

from telusur.backends.warc.archive import WarcArchive, place_of
from telusur.backends.warc.rendered import read_rendered
from telusur.models import Page


def make_page(number: int, body: bytes = b"<div id=app></div>") -> Page:
    headers = (("Content-Type", "text/html"),)
    return Page(
        f"http://coast.example/{number}", 200, headers=headers, body=body, fetched_at=number
    )


@pytest.fixture
def archive(tmp_path):
    archive = WarcArchive(tmp_path)
    yield archive
    archive.close()


def test_each_page_has_its_own_rendering(archive, tmp_path):
    drawn = [b"<p>one</p>" * 9000, b"", "<p>zwei ä</p>".encode(), b""]  # the last three: revisits
    places = [archive.append(make_page(number), html) for number, html in enumerate(drawn)]
    archive.sync()
    found = [archive.rendered(key) for key in places]
    assert found == [html or None for html in drawn]


def test_a_rendering_behind_a_long_request_is_found(archive):
    noise = random.Random(7).randbytes(20_000).hex()
    page = replace(make_page(1), request_headers=(("Accept", noise),))
    keys = [archive.append(page, b"<p>one</p>"), archive.append(page)]
    archive.sync()
    assert [archive.rendered(key) for key in keys] == [b"<p>one</p>", None]


def test_a_damaged_or_missing_archive_has_none(archive, tmp_path):
    place = place_of(archive.append(make_page(1), b"<p>one</p>"))
    archive.sync()
    path = tmp_path / place.file
    end = place.offset + place.length
    assert read_rendered(tmp_path / "missing", end) is None
    path.write_bytes(path.read_bytes()[: end + 20])
    assert read_rendered(path, end) is None


@pytest.mark.parametrize("length", [10**30, 10**11, -1])
def test_a_length_that_no_record_has_is_a_damage(tmp_path, length):
    request = f"WARC/1.1\r\nContent-Length: {length}\r\n\r\n".encode()
    drawn = b"WARC/1.1\r\nWARC-Type: conversion\r\nContent-Length: 1\r\n\r\nx"
    path = tmp_path / "x.warc.gz"
    path.write_bytes(gzip.compress(request) + gzip.compress(drawn))
    assert read_rendered(path, 0) is None
