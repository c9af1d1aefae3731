"""The views of a page and a site, where everything in them wants to harm whoever looks."""

from html import escape

from playwright.sync_api import expect

from telusur.extract.writing.part_records import (
    Field,
    Form,
    Image,
    ItemList,
    PageParts,
    Script,
    Table,
)
from telusur.models import Block
from telusur.reports.audit_records import COLUMNS, Finding, HostRules, SiteAudit, SitemapFile
from telusur.reports.clusters.clustered_site import SitePages, cluster_site
from telusur.reports.clusters.names import ClusterNames
from telusur.reports.label_corrections import PageBlocks
from telusur.reports.page_details import CopyView
from telusur.reports.site_files import FoundFile
from telusur.store.views import LinkPage, LinkView, RecordView, SiteTally
from telusur.web.frame import urls
from tests.web.test_hostile import TEXTS, URLS, Hostile, assert_harmless, assert_layout_holds

URL = "https://n0.example/"
BOTH = [*TEXTS, *URLS]
CLUSTERED_SITE = "evil.example"
CLUSTERED = [f"https://{CLUSTERED_SITE}/{escape(text[:300])}" for text in TEXTS]
ESCAPED = [escape(text[:5_000]) for text in BOTH]


class HostilePages(Hostile):
    """Every text in every place that the views of a page and of a site have."""

    def links_from(self, url, page, limit):
        views = [
            LinkView(each, text, text, text[:50], "done", text, 200)
            for each in (*URLS, URL)
            for text in TEXTS
        ]
        strange = [LinkView(each, "x") for each in URLS]
        return LinkPage(len(views), (*views, *strange), after="5", searched=0.5)

    def copies_of(self, url):
        return [CopyView(each, each, "same") for each in URLS[:5]]

    def parts(self, url):
        parts = PageParts(url)
        parts.metadata.title = TEXTS[0]
        parts.metadata.meta = {text[:500]: [text] for text in TEXTS}
        for text in BOTH:
            parts.forms.append(Form(text, text, text, [Field(text, text, text, [text], True)]))
            parts.tables.append(Table(text, [[text, text], [text]]))
            parts.images.append(Image(text, text, text, text))
            parts.scripts.append(Script(text, text))
            parts.lists.append(ItemList(text, [text, text]))
        return parts

    def record(self, url):
        pairs = tuple((text[:200], text) for text in BOTH)
        return RecordView(TEXTS[0], 1, 2, pairs, TEXTS[1], pairs)

    def blocks(self, url):
        return PageBlocks(tuple(Block(text, "title", text, selectors=text) for text in BOTH))

    def site_tallies(self):
        return tuple(SiteTally(text, 1, 1, 1, 1) for text in TEXTS)

    def audit(self, site="", limit=100):
        findings = {
            kind: Finding(10**9, tuple(_fill(row, text) for text in BOTH[:8]), "")
            for kind, row in COLUMNS.items()
        }
        counts = {text[:300]: 1 for text in BOTH}
        hosts = tuple(HostRules(text, 200, 1e300, text, ()) for text in BOTH[:5])
        sitemaps = tuple(SitemapFile(text, None) for text in BOTH)
        return SiteAudit(site, hosts, 99, counts, counts, counts, counts, 1, 1, 0.1, sitemaps,
                         findings)  # fmt: skip

    def count_pages_of(self, site):
        return len(CLUSTERED)

    def clusters(self, site="", *, draw=None, watch=None, **more):
        rows = "".join(f"<div id='{text}' class='{text}'><p>{text}</p></div>" for text in ESCAPED)
        reader = SitePages(CLUSTERED_SITE, lambda url: f"<h1>{url[:99]}</h1>{rows}", draw)
        return cluster_site(CLUSTERED, reader, ClusterNames({}), watch)

    def walk_files(self, kind, site=""):
        for text in BOTH:
            yield FoundFile(text, "linked", text, text)


def _fill(row, text):
    """Return a row with a hostile text in each place that can hold one."""
    values = {"chain": (text, text), "urls": (text,), "seconds": 1e9, "pages": 3, "size_bytes": 9}
    return row(*(values.get(name, 200 if name == "status" else text) for name in row._fields))


def test_clusters_of_hostile_blocks(show, open_tab, monkeypatch):
    monkeypatch.setattr("telusur.web.site.clusters.pages.PAGE_SECONDS", 100.0)
    running = show(HostilePages())
    page = open_tab(viewport={"width": 375, "height": 800}).page
    page.goto(running.url + urls.SITE_CLUSTERS)
    assert_harmless(page, running.url)
    assert_layout_holds(page)
    page.goto(running.url + urls.of_site(urls.SITE_CLUSTERS, CLUSTERED_SITE))
    assert page.locator(".cluster").count() > 5
    assert_harmless(page, running.url)
    assert_layout_holds(page)
    page.goto(running.url + urls.of_site(urls.SITE_CLUSTER_PAGE, CLUSTERED_SITE))
    assert page.locator(".cluster").count() > 5
    assert page.evaluate("window.harmed") is None
    assert_layout_holds(page)


def test_nothing_runs_and_nothing_sticks_out(show, open_tab):
    running = show(HostilePages())
    page = open_tab(viewport={"width": 375, "height": 800}).page
    for path in (
        urls.page_url(URL),
        urls.of_page(urls.PAGE_LINKS, URL),
        urls.of_page(urls.PAGE_POSTS, URL),
        urls.of_page(urls.PAGE_PARTS, URL),
        urls.of_page(urls.PAGE_RECORD, URL),
        urls.of_page(urls.PAGE_SCORE, URL, q=TEXTS[2]),
        urls.SITES,
        urls.of_site(urls.SITE, TEXTS[2]),
        urls.of_site(urls.SITE_FILES, TEXTS[2], type="image/png"),
    ):
        answer = page.goto(running.url + path)
        assert answer.status == 200, path
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert_harmless(page, running.url)
        assert_layout_holds(page)
        assert not set(page.content()) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\0")
    page.goto(running.url + urls.of_page(urls.PAGE_BLOCKS, URL))
    expect(page.locator(".block-row")).to_have_count(len(BOTH))
    assert page.evaluate("window.harmed") is None
    assert_layout_holds(page)
