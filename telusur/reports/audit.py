"""The audit of a site: broken links, redirects, slow pages, copies, missing titles, robots.txt."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import each_once
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.verdicts import REDIRECTS
from telusur.crawl.urls.identity import normalize_url, parse_url
from telusur.crawl.urls.link_record import unpack_links
from telusur.errors import CollectionError
from telusur.models import State, url_id_of
from telusur.reports.audit_records import (
    SLOW_SECONDS,
    BrokenLink,
    Copy,
    Excluded,
    FailedPage,
    Finding,
    Gap,
    HostRules,
    Redirect,
    SharedText,
    SiteAudit,
    SitemapFile,
    SlowPage,
    Untold,
)
from telusur.store.reader import CatalogueReader
from telusur.store.sites import AuditedFetch, SiteReader
from telusur.store.store import CatalogueStore

MOST_HOPS = 10
MOST_HOSTS = 50
MOST_SITEMAPS = 200
MOST_NAMED = 5
# An audit stays valid for this many times as long as it took.
REST = 20.0
_ROWS = 500
_LARGEST_ROBOTS = 20_000


def audit_site(
    store: CatalogueStore, site: str, limit: int = 100, slow: float = SLOW_SECONDS
) -> SiteAudit:
    """Audit a site, or all sites for an empty name.

    Totals are exact; the first `limit` findings of each kind are listed.
    """
    with closing(store.site(site)) as rows, closing(store.reader()) as reader:
        return _Auditor(rows, reader, limit).audit(site, slow)


class _Auditor:
    def __init__(self, rows: SiteReader, reader: CatalogueReader, limit: int) -> None:
        self._rows = rows
        self._reader = reader
        self._limit = limit

    def audit(self, site: str, slow: float) -> SiteAudit:
        """Return the complete audit."""
        rows = self._rows
        states, reasons = Counter[str](), Counter[str]()
        for state, kind, number in rows.states():
            states[state.value] += number
            if state is State.SKIPPED:
                reasons[kind] += number
        hosts = [_rules_of(*row) for row in rows.hosts(MOST_HOSTS)]
        documents, indexed = rows.count_documents()
        listed = rows.count_listed()
        listed_fetched = rows.count_listed_fetched() if listed else 0
        findings = {
            "broken_links": self._broken_links(),
            "failed": _found(rows.failed(self._limit), lambda row: FailedPage(*row)),
            "redirects": _found(rows.redirects(self._limit), self._redirect),
            "slow": _found(
                rows.slow(slow, self._limit),
                lambda row: SlowPage(row.url, round(row.seconds, 3), row.size_bytes),
            ),
            "duplicates": _found(rows.copies(self._limit), _copy),
            "missing_titles": _found(rows.without("title", self._limit), _untold),
            "duplicate_titles": _found(rows.shared("title", self._limit), _shared),
            "missing_descriptions": _found(rows.without("description", self._limit), _untold),
            "duplicate_descriptions": _found(rows.shared("description", self._limit), _shared),
            "robots": Finding(
                reasons["robots"],
                tuple(Excluded(url, reason.partition(": ")[2] or reason)
                      for url, reason in rows.excluded(self._limit)),
            ),
            **self._compare(listed, listed_fetched),
        }  # fmt: skip
        return SiteAudit(
            site, tuple(hosts), rows.count_hosts(), dict(states), rows.count_fetched("status"),
            rows.count_fetched("content_type"), dict(reasons.most_common()), documents, indexed,
            round(rows.median_seconds(), 4), self._sitemaps(hosts), findings, listed,
            listed_fetched,
        )  # fmt: skip

    def _broken_links(self) -> Finding:
        """Find links to pages that failed; pages are read in groups, and few are unpacked.

        A menu repeats a broken link on every page, so some links to each target come first.
        """
        broken = each_once(_numbers(b"".join(self._rows.broken_ids())))
        if not len(broken):
            return Finding()
        total = 0
        first: list[BrokenLink] = []
        more: list[BrokenLink] = []
        times = Counter[str]()
        reasons: dict[bytes, str] = {}
        for group in _in_groups(self._rows.link_targets(), _ROWS):
            sizes = [len(targets) // 16 for _, targets in group]
            hits = np.isin(_numbers(b"".join(row[1] for row in group)), broken)
            total += int(hits.sum())
            if len(first) >= self._limit:
                continue
            for at in each_once(np.repeat(np.arange(len(group)), sizes)[hits]).tolist():
                for link in self._links_among(group[at], broken, reasons):
                    times[link.url] += 1
                    kept = first if times[link.url] <= MOST_NAMED else more
                    if len(kept) < self._limit:
                        kept.append(link)
        return Finding(total, (*first, *more)[: self._limit])

    def _links_among(
        self, row: tuple[bytes, bytes], broken: NDArray[np.uint64], reasons: dict[bytes, str]
    ) -> Iterator[BrokenLink]:
        url_id, targets = row
        page, record = self._rows.page_and_links(url_id)
        links = unpack_links(record) if page else []
        for at in np.flatnonzero(np.isin(_numbers(targets), broken)).tolist() if links else ():
            target = targets[16 * at : 16 * at + 16]
            if target not in reasons:
                _, reasons[target], _ = self._rows.fate_of(target)
            yield BrokenLink(page, links[at].url, links[at].anchor, reasons[target])

    def _redirect(self, row: AuditedFetch) -> Redirect:
        chain: list[str] = []
        url, url_id, status = row.url, row.url_id, row.status
        seen = {normalize_url(url)}
        state, reason = row.state.value, row.reason
        while status in REDIRECTS and len(chain) < MOST_HOPS:
            target = parse_url(self._location_of(url_id), url)
            if target is None:
                break
            chain.append(target)
            key = normalize_url(target)
            if key is None or key in seen:
                return Redirect(row.url, row.status or 0, tuple(chain), "a loop")
            seen.add(key)
            url = target
            url_id = url_id_of(key)
            state, reason, status = self._rows.fate_of(url_id)
        ends = " ".join(filter(None, (state or "never in line", reason, str(status or ""))))
        return Redirect(row.url, row.status or 0, tuple(chain), ends)

    def _location_of(self, url_id: bytes) -> str:
        try:
            record = self._reader.record(url_id)
        except CollectionError:
            return ""
        headers = record.headers if record is not None else ()
        return next((value for name, value in headers if name.lower() == "location"), "")

    def _sitemaps(self, hosts: list[HostRules]) -> tuple[SitemapFile, ...]:
        """Return the known sitemaps, then those that robots.txt names and no crawl read."""
        files = [
            SitemapFile(url, urls, ": ".join(filter(None, (state, reason))))
            for url, urls, state, reason in self._rows.sitemaps(MOST_SITEMAPS)
        ]
        known = {file.url for file in files}
        named = dict.fromkeys(url for host in hosts for url in host.sitemaps)
        return (*files, *(SitemapFile(url, None) for url in named if url not in known))

    def _compare(self, listed: int, fetched: int) -> dict[str, Finding]:
        """Compare the sitemaps with the crawl."""
        if not listed:
            note = "No sitemap was read, so there is nothing to compare."
            return {"only_in_sitemap": Finding(note=note), "not_in_sitemap": Finding(note=note)}
        waiting = tuple(
            Gap(url, ": ".join(filter(None, (state, reason))))
            for url, state, reason in self._rows.not_fetched(self._limit)
        )
        missing, urls = self._rows.not_listed(self._limit)
        return {
            "only_in_sitemap": Finding(listed - fetched, waiting),
            "not_in_sitemap": Finding(missing, tuple(Gap(url, "in the index") for url in urls)),
        }


def _found(counted: tuple[int, list[Any]], make: Callable[[Any], Any]) -> Finding:
    total, rows = counted
    return Finding(total, tuple(make(row) for row in rows))


def _copy(row: tuple[str, str]) -> Copy:
    url, reason = row
    named = reason.removeprefix("duplicate: ")
    original = named.removeprefix("near ")
    return Copy(url, original, "same" if original == named else "near")


def _untold(row: tuple[str, str]) -> Untold:
    return Untold(*row)


def _shared(row: tuple[str, int, str]) -> SharedText:
    text, pages, urls = row
    return SharedText(text, pages, tuple(urls.split("\n")[: min(pages, MOST_NAMED)]))


def _rules_of(host: str, status: int | None, at: float | None, data: bytes) -> HostRules:
    sitemaps = Robots.parse(data, f"{host}/robots.txt").sitemaps if status == 200 else []
    text = data[:_LARGEST_ROBOTS].decode("utf-8", "replace")
    return HostRules(host, status, at, text, tuple(sitemaps))


def _numbers(ids: bytes) -> NDArray[np.uint64]:
    """Return the first half of each id as a number."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)


def _in_groups(rows: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while group := list(islice(rows, size)):
        yield group


class Audits:
    """Caches audits: the longer one took, the longer it stays valid."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = 20) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._kept: dict[Any, tuple[float, SiteAudit]] = {}

    def get(self, key: Any, make: Callable[[], SiteAudit]) -> SiteAudit:
        """Return the cached audit of a key, or a new one."""
        with self._lock:
            started = self._clock()
            kept = self._kept.get(key)
            if kept is not None and started < kept[0]:
                return kept[1]
            made = make()
            now = self._clock()
            self._kept[key] = (now + REST * (now - started), made)
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return made
