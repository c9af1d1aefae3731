"""An audit against what the demo web is known to have wrong."""

import pytest

from telusur.collection import open_collection
from telusur.models import Document
from telusur.reports.audit import Audits
from telusur.reports.audit_records import COLUMNS, SiteAudit
from tests.sites import Answer, page, serving


@pytest.fixture(scope="module")
def collection(demo):
    with open_collection(demo.directory) as opened:
        yield opened


@pytest.fixture(scope="module")
def museum(collection):
    return collection.audit("museum.localhost")


def test_every_kind_is_looked_at(museum):
    assert list(museum.findings) == list(COLUMNS)
    for kind, finding in museum.findings.items():
        assert all(isinstance(row, COLUMNS[kind]) for row in finding.rows)
        assert finding.total >= len(finding.rows)


def test_counts_are_those_of_the_catalogue(collection):
    counts, whole = collection.counts(), collection.audit("", 5)
    assert whole.states == {"done": counts.done, "failed": counts.failed, "skipped": counts.skipped}
    assert whole.indexed == counts.documents
    parts = [collection.audit(tally.site, 5) for tally in collection.site_tallies()]
    assert sum(part.indexed for part in parts) == counts.documents
    assert sum(part.findings["failed"].total for part in parts) == counts.failed
    for kind in ("broken_links", "redirects", "duplicates", "robots"):
        assert sum(part.findings[kind].total for part in parts) == whole.findings[kind].total > 0


def test_broken_links_are_named_with_page_words_and_reason(demo, museum):
    rows = {row.url: row for row in museum.findings["broken_links"].rows}
    row = rows[demo.url("museum", "/exhibit/stolen")]
    assert row.page == demo.url("museum", "/")
    assert (row.anchor, row.reason) == ("Stolen", "http 404")
    assert demo.url("museum", "/exhibit/sold") in rows


def test_each_broken_target_is_listed_though_a_menu_repeats_one(demo, collection):
    finding = collection.audit("news.localhost", 10).findings["broken_links"]
    assert finding.total > 100
    assert {row.url for row in finding.rows} == {
        demo.url("news", "/competition"),
        demo.url("news", "/local/2023/11/ferry-strike-called-off"),
    }


def test_redirects_are_followed_to_their_end(demo, museum):
    rows = {row.url: row for row in museum.findings["redirects"].rows}
    chain = rows[demo.url("museum", "/chain/1")]
    assert chain.chain == (
        demo.url("museum", "/chain/2"),
        demo.url("museum", "/chain/3"),
        demo.url("museum", "/exhibit/the-end-of-the-chain"),
    )
    assert (chain.status, chain.ends) == (301, "done 200")
    assert rows[demo.url("museum", "/loop/clockwise")].ends == "a loop"


def test_robots_and_their_lines(demo, museum):
    assert museum.findings["robots"].rows[0].rule.startswith("Disallow: ")
    assert museum.hosts[0].robots_status == 200
    assert "Disallow: /closed" in museum.hosts[0].robots


def test_sitemaps_and_what_they_name(demo, collection):
    audit = collection.audit("news.localhost", 5)
    files = {file.url.removeprefix(demo.origins["news"]): file.urls for file in audit.sitemaps}
    assert files == {
        "/sitemap.xml": 3,
        "/sitemaps/2024.xml": files["/sitemaps/2024.xml"],
        "/sitemaps/2025.xml.gz": files["/sitemaps/2025.xml.gz"],
        "/sitemaps/current.xml": 1,
        "/sitemaps/2026.xml": files["/sitemaps/2026.xml"],
    }
    named = sum(number for path, number in files.items() if "/20" in path)
    assert audit.listed == audit.listed_fetched == named > 50
    assert audit.findings["only_in_sitemap"].total == 0
    missing = audit.findings["not_in_sitemap"]
    assert missing.total == audit.indexed - named > len(missing.rows) == 5


def test_a_site_without_sitemaps_has_nothing_to_compare(museum):
    assert (museum.sitemaps, museum.listed) == ((), 0)
    assert "nothing to compare" in museum.findings["only_in_sitemap"].note


def test_slow_and_limits(collection):
    audit = collection.audit("", 3, slow=0.0)
    assert audit.findings["slow"].total >= sum(1 for _ in collection.pages()) > 600
    seconds = [row.seconds for row in audit.findings["slow"].rows]
    assert len(seconds) == 3
    assert seconds == sorted(seconds, reverse=True)


def test_an_unknown_site_has_nothing(collection):
    assert collection.audit("nowhere.example").states == {}


def test_titles_and_descriptions(tmp_path):
    documents = [
        Document("http://a.example/1", "Same", description="said", text="one one one"),
        Document("http://a.example/2", "Same", description="said", text="two two two"),
        Document("http://a.example/3", "", description="", text="three three"),
        Document("http://b.example/4", "Same", text="four four four"),
    ]
    with open_collection(tmp_path / "c") as made:
        made.add(documents)
        found = made.audit("a.example").findings
    assert found["duplicate_titles"].rows == (("Same", 2, ("http://a.example/1",
                                                           "http://a.example/2")),)  # fmt: skip
    assert found["duplicate_descriptions"].total == 1
    assert [row.url for row in found["missing_titles"].rows] == ["http://a.example/3"]
    assert found["missing_descriptions"].total == 1


def test_what_a_sitemap_names_and_the_crawl_left_out(tmp_path):
    urls = "".join(f"<url><loc>{path}</loc></url>" for path in ("/", "/hidden", "/not"))
    pages = {
        "/robots.txt": Answer("Sitemap: /s\nSitemap: http://elsewhere.example/"),
        "/": page("Home", links=["/a"]),
        "/a": page("A page about tides"),
        "/s": Answer(f"<urlset>{urls}</urlset>"),
        "/hidden": page("A page about moons"),
    }
    with serving(pages) as site, open_collection(tmp_path / "c") as made:
        made.crawl([site.url()], allow_private=True, delay=0, exclude=["not$"])
        audit = made.audit()
        assert [(each.url, each.urls, each.state) for each in audit.sitemaps] == [
            (site.url("/s"), 3, "done: sitemap: 3 URLs"),
            ("http://elsewhere.example/", None, "skipped: scope: other site"),
        ]
        assert (audit.listed, audit.listed_fetched) == (3, 2)
        found = audit.findings
        assert found["only_in_sitemap"].rows == (
            (site.url("/not"), "skipped: excluded: pattern not$"),
        )
        assert [row.url for row in found["not_in_sitemap"].rows] == [site.url("/a")]


def test_audits_stay_good_for_longer_the_longer_they_take():
    now = [0.0]
    made = []

    def make():
        now[0] += 2.0
        made.append(1)
        return SiteAudit("x")

    audits = Audits(clock=lambda: now[0])
    audits.get("x", make)
    now[0] += 39
    audits.get("x", make)
    assert len(made) == 1
    now[0] += 2
    audits.get("x", make)
    assert len(made) == 2
