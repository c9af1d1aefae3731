import gzip

from telusur.models import Page
from telusur.run.sitemaps import read_sitemap, write_sitemap, write_sitemap_index

ONE = "".join(
    write_sitemap([("http://a.example/?x=1&y=2", "2026-03-01"), ("http://a.example/b", None)])
)


def stored(**bodies):
    def page_of(url):
        body = bodies.get(url.rpartition("/")[2].replace(".", "_"))
        return (
            Page(url, 200, body=body if isinstance(body, bytes) else body.encode())
            if body
            else None
        )

    return page_of


def test_what_is_written_is_read_again():
    assert ONE.count("<lastmod>2026-03-01</lastmod>") == 1
    assert "x=1&amp;y=2" in ONE
    found = read_sitemap("http://a.example/s.xml", stored(s_xml=ONE))
    assert found == ["http://a.example/?x=1&y=2", "http://a.example/b"]


def test_an_index_leads_to_its_parts_also_compressed_ones():
    index = write_sitemap_index(["http://a.example/1.xml.gz", "http://a.example/gone.xml"])
    page_of = stored(s_xml=index, **{"1_xml_gz": gzip.compress(ONE.encode())})
    assert len(read_sitemap("http://a.example/s.xml", page_of)) == 2


def test_an_index_of_itself_ends():
    index = write_sitemap_index(["http://a.example/s.xml"] * 3)
    assert read_sitemap("http://a.example/s.xml", stored(s_xml=index)) == []


def test_not_stored_or_damaged():
    assert read_sitemap("http://a.example/s.xml", stored()) is None
    broken = b"\x1f\x8b" + b"x" * 50
    assert read_sitemap("http://a.example/s.xml", stored(s_xml=broken)) is None


def test_entities_do_not_explode():
    bomb = '<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "aaaa">]><urlset><url><loc>&a;</loc></url>'
    assert read_sitemap("http://a.example/s.xml", stored(s_xml=bomb)) == ["&a;"]
