import gzip
import tracemalloc

import pytest

from telusur.extract import sitemap as sitemaps
from telusur.extract.page.content_coding import ContentCodingError
from telusur.extract.sitemap import SitemapEntry, parse_moment, parse_sitemap, read_sitemap

HOME = "https://a.example/sitemap.xml"


def urls_of(text, **about):
    body = text.encode() if isinstance(text, str) else text
    read = read_sitemap(body, **about)
    return None if read is None else (read.kind, [entry.url for entry in read.entries])


ONE = "<urlset><url><loc>http://a.example/</loc></url></urlset>"
ITEM = "<item><title>x</title>{}</item>"


@pytest.mark.parametrize(
    ("text", "kind", "urls"),
    [
        (ONE, "urlset", ["http://a.example/"]),
        (f"\ufeff\n <?xml version='1.0'?> <!-- <url><loc>no</loc></url> --> {ONE}", "urlset",
         ["http://a.example/"]),
        ("<s:urlset><s:url><s:loc>/1</s:loc><image:loc>/i</image:loc></s:url></s:urlset>",
         "urlset", ["/1"]),
        ("<urlset><url><loc>/1</loc><image:loc>/i</image:loc></url></urlset>", "urlset", ["/1"]),
        ("<urlset><url><loc> <![CDATA[/?a=1&b=2]]> </loc></url></urlset>", "urlset",
         ["/?a=1&b=2"]),
        ("<urlset><url><loc>/?a&amp;b<![CDATA[&c]]></loc></url></urlset>", "urlset", ["/?a&b&c"]),
        ("<urlset><url><loc>/&#65;&#x42;&#0;&#xd800;</loc></url></urlset>", "urlset",
         ["/AB\0\ufffd"]),
        ("<urlset><url><loc>/1</loc><url><loc>/2</loc></urlset>", "urlset", ["/1", "/2"]),
        ("<urlset><loc>/1</loc><loc>/2</loc></urlset>", "urlset", ["/1", "/2"]),
        ("<urlset><url><loc>/1</loc></url><url><loc>/cu", "urlset", ["/1"]),
        ("<urlset></urlset>", "urlset", []),
        ("<sitemapindex><sitemap>/bare.xml</sitemap><sitemap><loc>/b</loc></sitemap>", "index",
         ["/bare.xml", "/b"]),
        ("http://a.example/1\r\n\r\nnonsense\n https://a.example/2", "text",
         ["http://a.example/1", "https://a.example/2"]),
        (f"<rss><link>/home</link>{ITEM.format('<link>/1</link>')}"
         f"{ITEM.format('<guid>http://g</guid>')}{ITEM.format('<guid>id-5</guid>')}</rss>",
         "feed", ["/1", "http://g"]),
        ("<feed><link href='/self' rel='self'/><entry><link rel='edit' href='/e'/>"
         "<link href='/1'/><link rel='alternate' href='/2'/></entry></feed>", "feed", ["/1"]),
    ],
)  # fmt: skip
def test_every_dialect(text, kind, urls):
    assert urls_of(text) == (kind, urls)


class CountedText(str):
    """A text that counts the characters that are copied out of it."""

    handled = 0

    def __radd__(self, other):
        return CountedText(str(other) + str(self))

    def __add__(self, other):
        return CountedText(str(self) + str(other))

    def __getitem__(self, key):
        part = CountedText(super().__getitem__(key))
        CountedText.handled += len(part)
        return part


def test_a_piece_of_many_comments_is_read_once():
    """Such a sitemap once took a parser longer than it is given: each comment copied the rest."""
    text = "<a><!--x-->" * 5000
    CountedText.handled = 0
    read = "".join(sitemaps._without_comments([CountedText(text), CountedText("<!--"), "end"]))
    assert read == "<a>" * 5000
    assert CountedText.handled <= 2 * len(text)


def test_marks_of_comments_may_be_cut_in_two():
    text = "<a><!-- x - -- > --><b><!----><c><!--><d>--><e><!-"
    for one in range(len(text)):
        for other in range(one, len(text)):
            pieces = (text[:one], text[one:other], text[other:])
            assert "".join(sitemaps._without_comments(pieces)) == "<a><b><c><e><!-"


@pytest.mark.parametrize("text", ["", "<html><a href=/x>x</a>", "words", "<x/>", "{}"])
def test_what_is_no_sitemap(text):
    assert urls_of(text) is None


def test_what_is_said_about_urls():
    text = """<urlset><url><loc>/1</loc><lastmod>2026-01-02T00:00:00+01:00</lastmod>
        <changefreq> Daily</changefreq><priority>0.8</priority></url>
        <url><loc>/2</loc><lastmod>soon</lastmod><changefreq>often</changefreq>
        <priority>11</priority></url></urlset>"""
    assert read_sitemap(text.encode()).entries == [
        SitemapEntry("/1", 1767308400.0, "daily", 0.8),
        SitemapEntry("/2"),
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2005-01-01", 1104537600.0),
        ("2005-01", 1104537600.0),
        ("2005", 1104537600.0),
        ("2005-01-01T00:00:00Z", 1104537600.0),
        ("Sat, 01 Jan 2005 00:00:00 GMT", 1104537600.0),
        ("0001-01-01", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("2005-13", None),
        ("", None),
    ],
)
def test_moments(text, seconds):
    assert parse_moment(text) == seconds


def test_compressed_by_the_author_the_server_or_both():
    once, twice = gzip.compress(ONE.encode()), gzip.compress(gzip.compress(ONE.encode()))
    expected = ("urlset", ["http://a.example/"])
    assert urls_of(once) == urls_of(once, content_encoding="gzip") == expected
    assert urls_of(twice, content_encoding="gzip") == expected
    assert urls_of(once + b"<!-- appended by a cache -->") == expected
    with pytest.raises(ContentCodingError):
        read_sitemap(ONE.encode(), content_encoding="rot13")


def test_of_a_damaged_file_what_came_before_is_kept():
    rows = "".join(f"<url><loc>/page-{n * 7919 % 10007}</loc></url>" for n in range(3000))
    body = bytearray(gzip.compress(f"<urlset>{rows}</urlset>".encode()))
    body[len(body) // 2 :] = b"\xff" * 100
    _, urls = urls_of(bytes(body))
    assert 500 < len(urls) < 3000
    assert urls[:2] == ["/page-0", "/page-7919"]


def test_encodings():
    assert urls_of(ONE.replace("/<", "/ü<").encode("utf-16")) == ("urlset", ["http://a.example/ü"])
    latin = '<?xml version="1.0" encoding="iso-8859-1"?>' + ONE.replace("/<", "/ü<")
    assert urls_of(latin.encode("latin-1")) == ("urlset", ["http://a.example/ü"])
    assert urls_of(ONE, content_type="text/xml; charset=rot13") == ("urlset", ["http://a.example/"])


def test_entities_are_never_looked_up():
    own = '<!DOCTYPE u [<!ENTITY a "x"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    text = f"{own}<urlset><url><loc>/&a;</loc></url><url><loc>/&f;</loc></url><url><loc>/1</loc>"
    assert urls_of(f"{text}</url></urlset>") == ("urlset", ["/1"])


def test_limits_hold_and_memory_does_not_grow_with_the_file(monkeypatch):
    monkeypatch.setattr(sitemaps, "MOST_URLS", 2)
    read = read_sitemap(b"<urlset>" + b"<url><loc>/1</loc></url>" * 5 + b"</urlset>")
    assert (len(read.entries), read.truncated) == (2, True)
    bomb = gzip.compress(b"<urlset><url><loc>/1</loc></url>" + b" " * 60_000_000)
    tracemalloc.start()
    read = read_sitemap(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ([entry.url for entry in read.entries], read.truncated) == (["/1"], True)
    assert peak < 5_000_000


@pytest.mark.parametrize(
    "piece", ["<loc><![CDATA[", "<!--", "<loc ", "<url>", "<url <loc>", "<loc>" + "x" * 5000, "&#"]
)
def test_no_nonsense_takes_long(piece):
    text = "<urlset>" + piece * (2_000_000 // len(piece))
    assert urls_of(text)[0] == "urlset"


def test_parse_sitemap_resolves_addresses_and_tells_pages_from_sitemaps():
    pages = parse_sitemap(
        b"<urlset><url><loc>/a</loc><priority>0.3</priority></url></urlset>", HOME
    )
    assert [(one.url, one.priority) for one in pages.urls] == [("https://a.example/a", 0.3)]
    assert pages.sitemaps == []
    parts = parse_sitemap(b"<sitemapindex><sitemap><loc>b.xml</loc></sitemap></sitemapindex>", HOME)
    assert [one.url for one in parts.sitemaps] == ["https://a.example/b.xml"]
    assert parts.urls == []


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"\x1f\x8b broken", b"<urlset/>"])
def test_parse_sitemap_never_raises(data):
    assert parse_sitemap(data).urls == []
