"""What is written is read again by our own reader."""

from telusur.extract.sitemap import read_sitemap
from telusur.reports.sitemaps import write_sitemap, write_sitemap_index


def test_what_is_written_is_read_again():
    pages = [("http://a.example/?x=1&y=2", "2026-03-01"), ("http://a.example/b", None)]
    text = "".join(write_sitemap(pages))
    assert text.count("<lastmod>2026-03-01</lastmod>") == 1
    assert "x=1&amp;y=2" in text
    assert [entry.url for entry in read_sitemap(text.encode()).entries] == [url for url, _ in pages]


def test_an_index_names_its_parts():
    read = read_sitemap(write_sitemap_index(["http://a.example/1.xml.gz"]).encode())
    assert (read.kind, [entry.url for entry in read.entries]) == (
        "index", ["http://a.example/1.xml.gz"]
    )  # fmt: skip
