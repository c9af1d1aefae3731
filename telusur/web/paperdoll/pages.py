"""The views of one page of the doll: parts, links, copies and a record, made from its text."""

import gzip
import json
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from html import escape
from pathlib import Path

from telusur.errors import UsageError
from telusur.extract.document import extract_document, read_page
from telusur.extract.site.record import SiteRecord
from telusur.extract.threads.found import PageDiscussion
from telusur.extract.writing.part_records import PageParts
from telusur.extract.writing.parts import read_parts
from telusur.models import Document, Page, Post
from telusur.reports.audit_records import (
    COLUMNS,
    BrokenLink,
    Finding,
    HostRules,
    Redirect,
    SiteAudit,
    SlowPage,
)
from telusur.reports.clusters.clustered_site import (
    ClusteredSite,
    Draw,
    SitePages,
    Watch,
    cluster_site,
)
from telusur.reports.clusters.names import ClusterNames
from telusur.reports.label_corrections import PageBlocks
from telusur.reports.learned_sites.site_frame import LOOKED_AT, SiteFrame, read_frame
from telusur.reports.page_details import StandingView, as_text
from telusur.reports.site_files import FoundFile, Looked
from telusur.store.views import CopyView, FetchView, LinkPage, LinkView, RecordView, SiteTally

_AT = 1_774_000_013.4
_FILE = "telusur-00001.warc.gz"
_TABLE = "<table><caption>Tides</caption><tr><th>Port<th>High water<tr><td>North<td>10:15</table>"


class PaperPages:
    """The pages of the doll; everything is invented from the document."""

    _documents: dict[str, Document]
    _sites: dict[str, str]

    def page(self, url: str) -> Page | None:
        """Return None: the doll has no archive."""
        return None

    def parts(self, url: str) -> PageParts | None:
        """Return the parts of the invented page."""
        html = self._invent(url)
        return read_parts(html, url) if html else None

    def discussion(self, url: str) -> PageDiscussion | None:
        """Return two comments on each page; one names nobody."""
        if url not in self._documents:
            return None
        first = Post("I saw it too.\nIt was at the pier.", "Mara", "2026-03-04T10:20", f"{url}#c1")
        return PageDiscussion("article", (), (first, Post("So did my dog.")))

    def links_from(self, url: str, page: int, limit: int) -> LinkPage:
        """Return links to the other pages of the doll."""
        others = [each for each in self._documents.values() if each.url != url]
        start = (page - 1) * limit
        links = [
            LinkView(each.url, each.title, "", "", "done", "", 200)
            for each in others[start : start + limit]
        ]
        return LinkPage(len(others), tuple(links))

    def links_to(self, url: str, page: int, limit: int, after: str = "") -> LinkPage:
        """Return the same links: every page of the doll links to every other."""
        return self.links_from(url, page, limit)

    def mark_of(self, url: str) -> bool | None:
        """Return None: no page of the doll is marked."""
        return None

    def mark(self, url: str, is_good: bool | None) -> None:
        """Refuse: the doll stores nothing."""
        raise UsageError("The paper doll cannot save marks.")

    def copies_of(self, url: str) -> list[CopyView]:
        """Return the print version that some pages have."""
        return [CopyView(f"{url}?print=1", "", "same")] if "tide" in url else []

    def fetches(self, url: str) -> list[FetchView]:
        """Return one fetch of each document."""
        if url not in self._documents:
            return []
        took = {"extract": 0.0049, "links": 0.0006, "write": 0.0008}
        return [FetchView(_AT, 0.042, 200, "", "text/html", 4893, _FILE, 121_580, 2_587, took)]

    def record(self, url: str) -> RecordView | None:
        """Return an invented record of each document."""
        if url not in self._documents:
            return None
        fields = (("WARC-Type", "response"), ("WARC-Target-URI", url),
                  ("WARC-Payload-Digest", "sha1:MWV73MXHMJXZTNROY6QZNEEEXFIF2ND3"))  # fmt: skip
        headers = (("Content-Type", "text/html; charset=utf-8"), ("Server", "paper"))
        return RecordView(_FILE, 121_580, 2_587, fields, "HTTP/1.1 200 OK", headers)

    def record_bytes(self, url: str) -> bytes | None:
        """Return the head of that record."""
        record = self.record(url)
        return gzip.compress(repr(record.fields).encode(), mtime=0) if record else None

    def standing(self, url: str) -> StandingView | None:
        """Return the same rank for each document."""
        return StandingView(1.25, 12, 2, 63) if url in self._documents else None

    def blocks(self, url: str) -> PageBlocks | None:
        """Return the blocks of the invented page."""
        html = self._invent(url)
        return PageBlocks(tuple(extract_document(html, url).blocks)) if html else None

    def correct_labels(self, url: str, changes: Mapping[int, str]) -> Path:
        """Refuse: the doll stores nothing."""
        raise UsageError("The paper doll cannot save labels.")

    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return None: the doll keeps texts only."""
        return None

    def site_tallies(self) -> tuple[SiteTally, ...]:
        """Return the sites, each with two failed pages."""
        counts = Counter(self._sites.values())
        return tuple(SiteTally(site, n + 2, 0, 2, 5) for site, n in counts.most_common())

    def audit(self, site: str = "", limit: int = 100) -> SiteAudit:
        """Return a few findings about any site of the doll."""
        pages = [url for url, own in self._sites.items() if site in ("", own)]
        if not pages:
            return SiteAudit(site)
        host = "/".join(pages[0].split("/")[:3])
        findings = {kind: Finding() for kind in COLUMNS} | {
            "broken_links": Finding(1, (BrokenLink(pages[0], f"{host}/gone", "gone", "http 404"),)),
            "redirects": Finding(1, (Redirect(f"{host}/old", 301, (pages[0],), "done 200"),)),
            "slow": Finding(1, (SlowPage(pages[0], 2.5, 48_000),)),
            "only_in_sitemap": Finding(note="No sitemap was read."),
            "not_in_sitemap": Finding(note="No sitemap was read."),
        }
        rules = HostRules(host, 200, _AT, "User-agent: *\nDisallow: /private/\n", ())
        return SiteAudit(
            site, (rules,), 1, {"done": len(pages), "failed": 2, "skipped": 5},
            {"200": len(pages), "301": 1, "404": 2}, {"text/html": len(pages)}, {"robots": 5},
            len(pages), len(pages), 0.084, (), findings,
        )  # fmt: skip

    def count_pages_of(self, site: str) -> int:
        """Return how many documents a site has."""
        return sum(own == site for own in self._sites.values())

    def site_frame(self, site: str) -> SiteFrame:
        """Learn the invented pages of a site, and return what was learned."""
        urls = [url for url, own in self._sites.items() if own == site]
        record = SiteRecord()
        for url in urls:
            reading = read_page(self._invent(url), url, site=record)
            record.learn([reading.site.evidence] if reading.site is not None else [])
        return read_frame(site, record.to_bytes(), urls[:LOOKED_AT], self._invent)

    def clusters(
        self,
        site: str = "",
        *,
        pages: int = 100,
        draw: Draw | None = None,
        watch: Watch | None = None,
    ) -> ClusteredSite:
        """Cluster the invented pages of a site."""
        urls = [url for url, own in self._sites.items() if own == site][:pages]
        view = cluster_site(urls, SitePages(site, self._invent, draw), ClusterNames({}), watch)
        return replace(view, known=len(urls))

    def with_names(self, view: ClusteredSite) -> ClusteredSite:
        """Return the same clusters: the doll stores no labels."""
        return view

    def name_clusters(self, view: ClusteredSite, labels: Mapping[int | str, str]) -> ClusteredSite:
        """Refuse: the doll stores nothing."""
        raise UsageError("The paper doll cannot save labels.")

    def training_lines(self, view: ClusteredSite) -> Iterator[str]:
        """Yield the addresses of the clustered pages only."""
        yield from (json.dumps({"url": url}) + "\n" for url in view.urls)

    def walk_files(self, kind: str, site: str = "") -> Generator[FoundFile | Looked, None, None]:
        """Yield one file of each page."""
        for url, own in self._sites.items():
            if site in ("", own):
                yield FoundFile(f"{url}.{kind}", "linked", url, "a file")

    def _invent(self, url: str) -> str:
        if (stored := self.html(url)) is not None:
            return as_text(stored)
        document = self._documents.get(url)
        if document is None:
            return ""
        rows = "".join(f"<p>{escape(row)}</p>" for row in document.text.split("\n"))
        return (
            f"<!doctype html><title>{escape(document.title)}</title><nav>Home</nav>"
            f"<h1>{escape(document.title)}</h1><p class=byline>{escape(document.author or '')}</p>"
            f"{rows}{_TABLE}<ul><li>One<li>Two</ul><form><input name=q></form>"
            '<img src="/tide.png" alt="A tide clock" width=80><script>start()</script>'
        )
