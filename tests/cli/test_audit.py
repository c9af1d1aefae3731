"""`telusur audit`, `files` and `sitemap` as a user runs them."""

import json
from xml.etree import ElementTree

import pytest

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def test_an_audit_for_people(telusur, demo):
    ran = telusur(
        "audit", "--in", str(demo.directory), "--site", "museum.localhost", "--limit", "1"
    )
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "museum.localhost"
    assert "broken links: 4" in lines
    assert f"{demo.url('museum', '/chain/2')} > {demo.url('museum', '/chain/3')}" in ran.out
    assert "  ... and 3 more; see --limit" in lines


def test_an_audit_for_programs(telusur, demo):
    ran = telusur("audit", "--in", str(demo.directory), "--only", "redirects,failed", "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert {row["type"] for row in rows} == {"redirects", "failed", "summary"}
    assert rows[-1]["type"] == "summary"
    assert rows[-1]["findings"]["failed"] == sum(row["type"] == "failed" for row in rows) == 10


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("audit", "--only", "poems"), 2, "--only: 'poems' is not one of broken_links"),
        (("audit", "--site", "nowhere"), 1, "nowhere: the collection does not know it"),
        (("files", "--type", "poem"), 2, "'poem' is not one of image"),
        (("files", "--type", "video"), 1, ""),
        (("sitemap", "--site", "nowhere"), 1, "nowhere: the collection has no page of it"),
        (("sitemap", "--site", "localhost"), 2, "the site has 9 hosts; name one of them"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_sentence(telusur, demo, arguments, code, sentence):
    name, *rest = arguments
    ran = telusur(name, "--in", str(demo.directory), *rest)
    assert ran.code == code
    assert ran.out == ""
    assert sentence in ran.err


def test_files_are_one_a_line(telusur, demo):
    ran = telusur("files", "--in", str(demo.directory), "--type", "pdf")
    assert ran.out.splitlines() == [demo.url("museum", "/files/leaflet.pdf")]
    record = json.loads(
        telusur("files", "--in", str(demo.directory), "--type", "pdf", "--json").out
    )
    assert record["how"] == "linked"


def test_a_sitemap_lists_what_is_in_the_index(telusur, demo, tmp_path):
    ran = telusur("sitemap", "--in", str(demo.directory), "--site", "news.localhost")
    urls = [element.text for element in ElementTree.fromstring(ran.out).iter(LOC)]
    assert len(urls) == len(set(urls)) > 100
    assert demo.url("news", "/") in urls
    assert not [url for url in urls if "print=1" in url]
    written = telusur(
        "sitemap", "--in", str(demo.directory), "--site", demo.origins["news"], "--to",
        str(tmp_path / "out"),
    )  # fmt: skip
    assert written.code == 0
    assert (tmp_path / "out" / "sitemap.xml").read_text("utf-8") == ran.out


def test_many_pages_become_several_files(telusur, demo, tmp_path, monkeypatch):
    monkeypatch.setattr("telusur.cli.sitemap.MOST_URLS", 100)
    arguments = ("sitemap", "--in", str(demo.directory), "--site", "news.localhost")
    assert "write several files to a directory with --to" in telusur(*arguments).err
    assert telusur(*arguments, "--to", str(tmp_path / "out")).code == 0
    index = ElementTree.parse(tmp_path / "out" / "sitemap.xml")
    assert [element.text for element in index.iter(LOC)] == [
        demo.url("news", "/sitemap-1.xml"),
        demo.url("news", "/sitemap-2.xml"),
    ]
