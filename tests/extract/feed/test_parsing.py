"""Feeds of every kind, whole and broken."""

import pytest

from telusur.extract.feed.parsing import LARGEST_BYTES, MOST_ENTRIES, parse_feed

URL = "https://coast.example/news/feed"

RSS = b"""<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Harbour news</title><link>/</link><description>From the quay</description>
<language>en-gb</language><atom:link rel="self" href="https://coast.example/feed"/>
<atom:link rel="hub" href="https://hub.example/"/><category>Sea</category>
<ttl>90</ttl><skipHours><hour>0</hour><hour>13</hour><hour>24</hour></skipHours>
<skipDays><day>Sunday</day><day>Saturday</day></skipDays>
<item><title>Ebb &amp; flow</title><link>/1</link><guid isPermaLink="false">one</guid>
<description>Short</description><content:encoded>&lt;p&gt;Long text&lt;/p&gt;</content:encoded>
<author>ada@coast.example (Ada Lind)</author><category>Tides</category><category>Tides</category>
<pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><enclosure url="https://coast.example/1.mp3"/>
</item></channel></rss>"""

ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Hafen</title>
<link href="../"/><link rel="next" href="https://coast.example/feed?page=2"/><id>tag:hafen</id>
<updated>2024-05-01T00:00:00Z</updated>
<entry><id>tag:1</id><title type="html">Ebbe &lt;b&gt;und&lt;/b&gt; Flut</title>
<link href="eins"/><author><name>Ada</name></author><author><name>Bo</name></author>
<published>2024-05-01T10:00:00+02:00</published><updated>2024-05-02T08:00:00Z</updated>
<summary>Kurz</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Lang</div>
</content><category term="see" label="See"/></entry></feed>"""

RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<channel rdf:about="https://coast.example/"><title>Port</title><link>https://coast.example/</link>
<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency></channel>
<item rdf:about="https://coast.example/a"><title>A</title><link>https://coast.example/a</link>
<dc:creator>Ada</dc:creator><dc:date>2024-05-01</dc:date></item></rdf:RDF>"""

JSON = b"""\xef\xbb\xbf{"version": "https://jsonfeed.org/version/1.1", "title": "Quay",
"home_page_url": "https://coast.example/", "feed_url": "https://coast.example/feed.json",
"description": "About", "language": "id", "authors": [{"name": "Ada"}],
"hubs": [{"type": "WebSub", "url": "https://hub.example/"}, {"url": "javascript:x"}],
"next_url": "/feed.json?page=2",
"items": [{"id": 7, "url": "/7", "title": "Seven", "content_html": "<p>Text</p>", "summary": "S",
"date_published": "2024-05-01T10:00:00+02:00", "tags": ["sea", 3, " tide "],
"attachments": [{"url": "/7.mp3"}]},
{"id": "8", "external_url": "https://other.example/8", "content_text": "plain",
"author": {"name": "Bo"}}, "no record"]}"""


def test_rss():
    feed = parse_feed(RSS, URL)
    assert (feed.kind, feed.title, feed.subtitle) == ("rss", "Harbour news", "From the quay")
    assert (feed.url, feed.self_url) == ("https://coast.example/", "https://coast.example/feed")
    assert (feed.language, feed.categories, feed.is_broken) == ("en-gb", ["Sea"], False)
    (entry,) = feed.entries
    assert (entry.id, entry.url) == ("one", "https://coast.example/1")
    assert (entry.title, entry.summary) == ("Ebb & flow", "Short")
    assert entry.content == "<p>Long text</p>"
    assert entry.author == "ada@coast.example (Ada Lind)"
    assert entry.published == "Thu, 01 Jan 2004 19:48:21 GMT"
    assert entry.published_at == 1072986501.0
    assert entry.categories == ["Tides"]
    assert entry.enclosures == ["https://coast.example/1.mp3"]


def test_what_rss_says_about_polling():
    hints = parse_feed(RSS, URL).polling
    assert hints.ttl_minutes == 90
    assert hints.skip_hours == {0, 13}
    assert hints.skip_days == {5, 6}
    assert hints.hubs == ["https://hub.example/"]


def test_atom():
    feed = parse_feed(ATOM, URL)
    assert (feed.kind, feed.id, feed.title) == ("atom", "tag:hafen", "Hafen")
    assert (feed.url, feed.updated) == ("https://coast.example/", "2024-05-01T00:00:00Z")
    assert feed.next_url == "https://coast.example/feed?page=2"
    (entry,) = feed.entries
    assert (entry.url, entry.author) == ("https://coast.example/news/eins", "Ada, Bo")
    assert (entry.published_at, entry.updated_at) == (1714550400.0, 1714636800.0)
    assert (entry.title, entry.summary) == ("Ebbe <b>und</b> Flut", "Kurz")
    assert "Lang" in entry.content
    assert entry.categories == ["See"]


def test_rdf_and_the_syndication_module():
    feed = parse_feed(RDF, URL)
    assert (feed.kind, feed.title, feed.polling.ttl_minutes) == ("rdf", "Port", 360)
    (entry,) = feed.entries
    assert (entry.url, entry.author) == ("https://coast.example/a", "Ada")
    assert entry.updated_at == 1714521600.0


def test_json_feed():
    feed = parse_feed(JSON)
    assert (feed.kind, feed.title, feed.subtitle) == ("json", "Quay", "About")
    assert (feed.url, feed.language) == ("https://coast.example/", "id")
    assert feed.next_url == "https://coast.example/feed.json?page=2"
    assert feed.polling.hubs == ["https://hub.example/"]
    first, second = feed.entries
    assert (first.id, first.url, first.author) == ("7", "https://coast.example/7", "Ada")
    assert (first.content, first.categories) == ("<p>Text</p>", ["sea", "tide"])
    assert first.published_at == 1714550400.0
    assert first.enclosures == ["https://coast.example/7.mp3"]
    assert (second.url, second.content, second.author) == (
        "https://other.example/8", "plain", "Bo",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [b"", b"\0\0", b"not a feed", b"<html><title>Page</title></html>", b"{}", b'{"items": 3}',
     b"{" * 100_000, b"[" * 100_000, b'{"items": [[' + b"[" * 50_000],
)  # fmt: skip
def test_what_is_no_feed(text):
    feed = parse_feed(text, URL)
    assert (feed.kind, feed.entries) == ("", [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "gb18030"])
def test_encodings(encoding):
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    text += '<rss version="2.0"><channel><title>Größe 尺寸</title></channel></rss>'
    body = text.encode(encoding)
    body = b"\xfe\xff" + body if encoding == "utf-16-be" else body
    assert parse_feed(body).title == "Größe 尺寸"


def test_a_feed_without_an_end_keeps_the_entries_that_came():
    cut = RSS[: RSS.index(b"<author>")]
    feed = parse_feed(cut, URL)
    assert feed.is_broken
    assert feed.entries[0].title == "Ebb & flow"


def test_the_first_entries_of_a_feed_without_end():
    item = b"<item><title>T</title><link>http://a.example/</link></item>"
    feed = parse_feed(b"<rss version='2.0'><channel>" + item * (MOST_ENTRIES + 50))
    assert len(feed.entries) == MOST_ENTRIES
    assert feed.is_broken
    huge = b"<rss version='2.0'><channel>" + item + b"<item>" + b" " * LARGEST_BYTES
    assert len(parse_feed(huge).entries) >= 1
    assert parse_feed(huge).is_broken


def test_entities_of_a_feed_never_grow():
    shells = b"".join(b'<!ENTITY e%d "%s">' % (n + 1, b"&e%d;" % n * 10) for n in range(9))
    bomb = b'<!DOCTYPE rss [<!ENTITY e0 "' + b"A" * 100 + b'">' + shells + b"]>"
    feed = parse_feed(bomb + b"<rss><channel><title>&e9; is here</title></channel></rss>")
    assert len(feed.title) < 100
    assert "is here" in feed.title


def test_files_of_the_machine_are_not_read(tmp_path):
    (tmp_path / "secret").write_text("the secret")
    text = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
    text += "<rss><channel><title>&x; ends</title></channel></rss>"
    assert "secret" not in parse_feed(text.encode()).title


def test_tags_with_a_great_many_attributes_are_dropped():
    attributes = b" ".join(b'a%d="1"' % number for number in range(20_000))
    item = b"<item><title>Kept</title></item>"
    feed = parse_feed(b"<rss version='2.0'><channel><x " + attributes + b">" + item)
    assert feed.entries[0].title == "Kept"


@pytest.mark.parametrize(
    ("hints", "minutes"),
    [(b"<ttl>-5</ttl>", None), (b"<ttl>nan</ttl>", None), (b"<ttl>1e99</ttl>", None),
     (b"<ttl> 15 </ttl>", 15)],
)  # fmt: skip
def test_nonsense_about_polling_is_ignored(hints, minutes):
    every_day = b"".join(b"<day>%s</day>" % day for day in
                         (b"Monday", b"Tuesday", b"Wednesday", b"Thursday", b"Friday",
                          b"Saturday", b"Sunday"))  # fmt: skip
    body = b"<rss version='2.0'><channel>" + hints + b"<skipDays>" + every_day + b"</skipDays>"
    body += b"<skipHours><hour>99</hour><hour>x</hour></skipHours></channel></rss>"
    polling = parse_feed(body).polling
    assert polling.ttl_minutes == minutes
    assert polling.skip_days == polling.skip_hours == frozenset()
