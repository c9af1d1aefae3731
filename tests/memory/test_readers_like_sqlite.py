"""Readers of memory and of SQLite tell the same about the same random crawls."""

import random

import pytest

from telusur.backends.sqlite.database.schema import create_database
from telusur.backends.sqlite.store import SqliteStore
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.sitemap_listing import Listed
from telusur.memory import MemoryStore
from telusur.models import Link, MarkedPage, State
from telusur.testing.cases import Clock
from telusur.testing.reading.filling import FilledStore, found_url, id_of, url_of
from telusur.testing.reading.web import edges_of, read_pages

HOSTS = ("a.example", "www.a.example", "b.example", "c.example")
PATHS = [f"{host}/{number}" for host in HOSTS for number in range(6)]
SITES = ("", "a.example", "b.example", "nobody.example")
REASONS = ("", "", "", "noindex", "soft 404", "duplicate: ", "duplicate: near ",
           "canonical elsewhere: ")  # fmt: skip
SKIPPED = ("robots: Disallow: /", "scope", "depth", "http 500, twice")
ENDS = (
    (200, State.DONE, ""), (200, State.DONE, ""), (301, State.DONE, "redirect: x"),
    (404, State.FAILED, "http 404"), (None, State.FAILED, "timeout"),
    (503, State.WAITING, "http 503"), (200, State.SKIPPED, "content type: image/png"),
)  # fmt: skip


class Filling(FilledStore):
    """Writes at random, the same for the same seed."""

    def __init__(self, store, clock, seed):
        self.store, self.session = store, store.session()
        self.clock, self.chance = clock, random.Random(seed)

    def fill(self, steps):
        works = (self.find_some, self.fetch_one, self.fetch_one, self.add_document, self.link,
                 self.list_some, self.mark, self.crawl, self.take_out)  # fmt: skip
        for _ in range(steps):
            self.clock.now += 1.0
            self.chance.choice(works)()

    def one(self):
        path = self.chance.choice(PATHS)
        return path, {"site": path.split("/")[0].removeprefix("www.")}

    def find_some(self):
        path, of_site = self.one()
        parent = self.chance.choice([None, id_of(self.chance.choice(PATHS))])
        more = {
            "skip_reason": self.chance.choice(["", "", *SKIPPED]),
            "depth": self.chance.randrange(5),
            "anchor": self.chance.choice(["", "Owls"]),
        }
        self.find(path, parent=parent, **more, **of_site)

    def fetch_one(self):
        path, of_site = self.one()
        self.find(path, depth=self.chance.randrange(5), **of_site)
        status, state, reason = self.chance.choice(ENDS)
        self.fetch(
            path, status=status, state=state, reason=reason, is_archived=status is not None,
            fetched_at=self.clock.now, seconds=self.chance.randrange(1, 10**6) / 1024,
            content_type=self.chance.choice(["text/html", "image/png", ""]), body=path.encode(),
            operations={"extract": 0.5}, crawl_id=self.chance.choice([None, 1]),
        )  # fmt: skip
        self.write(lambda session: session.frontier.count_taken({of_site["site"]: 1}))

    def add_document(self):
        path, of_site = self.one()
        reason = self.chance.choice(REASONS)
        others = [other for other in PATHS if other != path]
        reason += url_of(self.chance.choice(others)) if reason.endswith(" ") else ""
        self.put_document(
            path, not_indexed=reason, fetched_at=self.clock.now, **of_site,
            digest=self.chance.choice([b"1", b"2", id_of(path)]),
            title=self.chance.choice(["", "Owls", path]),
            date=self.chance.choice([None, "2026-01-31"]),
            topic_score=self.chance.choice([None, 0.5]), topic=self.chance.choice(["", "owls"]),
            fields=self.chance.choice([{}, {"price": 1}]),
        )  # fmt: skip

    def link(self):
        path, of_site = self.one()
        # Only documents have links.
        if self.store.reader().document(id_of(path)) is None:
            self.put_document(path, **of_site)
        self.put_links(path, *self.chance.choices(PATHS, k=self.chance.randrange(1, 5)))

    def list_some(self):
        path, of_site = self.one()
        listed = [found_url(other) for other in self.chance.choices(PATHS, k=3)]
        named = [Listed(FoundLink(u.url_id, u.host, u.site, "", Link(u.url))) for u in listed]
        level = self.chance.choice((1, 2))

        def write(session):
            session.frontier.add([found_url(path, **of_site)])
            if self.chance.random() < 0.2:
                session.sitemaps.end(id_of(path), level, 7)
            session.sitemaps.put_listed(id_of(path), named)

        self.write(write)

    def mark(self):
        path, _ = self.one()
        mark = MarkedPage("", is_good=self.chance.random() < 0.5, marked_at=self.clock.now)
        self.write(lambda session: session.catalogue.put_mark(id_of(path), mark))

    def crawl(self):
        urls = [url_of(path) for path in self.chance.choices(PATHS, k=2)]
        self.write(lambda s: s.catalogue.begin_crawl({"pages": 3}, urls, has_topic=True))

    def take_out(self):
        path, _ = self.one()
        self.write(lambda s: s.catalogue.take_out_of_index(id_of(path), "duplicate: http://x/"))


def told_by_reader(reader):
    """Return what a reader tells, without what only its own archive understands."""
    told = {
        "counts": reader.counts(), "urls": list(reader.urls()), "pages": list(reader.pages()),
        "sites": [tuple(row) for row in reader.sites(9)], "order": reader.site_order(),
        "columns": [(row["url"], row["site"], row["fields"], row["date"])
                    for row in reader.columns(("site", "fields"))],
        "copies": reader.copies([url_of(path) for path in PATHS]), "marks": reader.marks(),
        "listed": reader.list_marks(), "again": sorted(reader.fetched_again(1_790_000_030.0)),
    }  # fmt: skip
    for path in PATHS:
        url_id = id_of(path)
        page = reader.page(url_id, url_of(path))
        told[path] = (
            reader.story(url_id), reader.document(url_id), reader.copies_of(url_id),
            reader.links(url_id), reader.links_from(url_id, 1, 3), reader.links_to(url_id, 1, 3),
            [(one.status, one.seconds, one.operations) for one in reader.fetches(url_id, 9)],
            page and page.body, reader.find_mark(url_id), reader.known_id([url_of(path)]),
        )  # fmt: skip
    return told


def told_by_crawls(crawls):
    answers = crawls.answers()
    states = [(state, reason) for state in State for reason in ("", "robots", "http 404")]
    return {
        "runs": crawls.runs(), "last": crawls.last_run(), "starts": crawls.start_urls(),
        "hosts": crawls.hosts_to_ask(), "pages": crawls.last_pages(), "statuses": answers.statuses,
        "slowest": answers.slowest,
        "lists": [crawls.list_urls(*state, after, 4) for state in states for after in ("", "5")],
        "tallies": crawls.tallies(2),
    }  # fmt: skip


def told_by_site(site):
    shared = [(said, n, set(urls.split("\n"))) for said, n, urls in site.shared("title", 9)[1]]
    return {
        "hosts": [tuple(row) for row in site.hosts(9)], "count": site.count_hosts(),
        "states": sorted(site.states()), "excluded": sorted(map(tuple, site.excluded(99))),
        "fates": [site.fate_of(id_of(path)) for path in PATHS],
        "fetched": [list(site.count_fetched(c).items()) for c in ("status", "content_type")],
        "median": site.median_seconds(), "slow": site.slow(100.0, 5), "moved": site.redirects(5),
        "failed": site.failed(3), "files": list(site.files_fetched("image/")),
        "broken": set(site.broken_ids()), "records": sorted(map(tuple, site.link_records())),
        "targets": sorted(map(tuple, site.link_targets())),
        "links": [site.page_and_links(id_of(path)) for path in PATHS],
        "copies": [site.copies(3)[0], *map(tuple, site.copies(3)[1])], "shared": shared,
        "documents": tuple(site.count_documents()),
        "without": [site.without(c, 3)[0] for c in ("title", "description")],
        "indexed": [tuple(row) for row in site.indexed_urls()],
        "sitemaps": [tuple(row) for row in site.sitemaps(9)], "listed": site.count_listed(),
        "had": site.count_listed_fetched(), "lacks": [tuple(row) for row in site.not_fetched(9)],
        "others": site.not_listed(3),
    }  # fmt: skip


def told_by_web(web):
    pages = read_pages(web)
    arrays = (pages.numbers, pages.seqs, pages.days, pages.depths, *pages.aliases)
    lists = [array.tolist() for array in arrays]
    rows = [row for piece in web.link_records(pages) for row in piece]
    records = sorted((place, targets.tolist(), record) for place, targets, record in rows)
    return lists, edges_of(web, pages), records


def told_by(store):
    """Return everything that the readers of a store tell."""
    return {
        "reader": told_by_reader(store.reader()), "crawls": told_by_crawls(store.crawls()),
        "web": told_by_web(store.web()), **{name: told_by_site(store.site(name)) for name in SITES},
    }  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2, pytest.param(0, marks=pytest.mark.slow)])
def test_both_tell_the_same(tmp_path, seed):
    create_database(tmp_path)
    told = []
    for make in (MemoryStore, lambda clock: SqliteStore(tmp_path, clock)):
        clock = Clock()
        store = make(clock)
        filling = Filling(store, clock, seed)
        rounds = []
        for _ in range(3 if seed else 12):
            filling.fill(30)
            rounds.append(told_by(store))
        filling.session.close()
        store.close()
        told.append(rounds)
    for number, (memory, sqlite) in enumerate(zip(*told, strict=True)):
        for part, by_memory in memory.items():
            if isinstance(by_memory, dict):
                for name, value in by_memory.items():
                    assert value == sqlite[part][name], (number, part, name)
            assert by_memory == sqlite[part], (number, part)
