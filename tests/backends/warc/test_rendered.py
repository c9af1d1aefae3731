import pytest

from telusur.adapters.warc import WarcArchive
from telusur.adapters.warc_rendered import read_rendered
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
    found = [read_rendered(tmp_path / each.file, each.offset + each.length) for each in places]
    assert found == [html or None for html in drawn]


def test_a_damaged_or_missing_archive_has_none(archive, tmp_path):
    place = archive.append(make_page(1), b"<p>one</p>")
    archive.sync()
    path = tmp_path / place.file
    end = place.offset + place.length
    assert read_rendered(tmp_path / "missing", end) is None
    path.write_bytes(path.read_bytes()[: end + 20])
    assert read_rendered(path, end) is None
