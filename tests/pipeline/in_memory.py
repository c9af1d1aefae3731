"""A crawl's writing side on the store in memory: no process, no disk, no network."""

import asyncio
from collections import Counter

from telusur.crawl.frontier_records import HostLease, LeasedUrl, NewUrl, Verdict
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.in_flight import InFlightLimits
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.memory import MemoryStore
from telusur.models import Page, State, url_id_of
from telusur.pipeline.admission import Admission
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.leased_hosts import LeasedHosts
from telusur.pipeline.outbox import Outbox
from telusur.pipeline.outcomes import Group, Outcome
from telusur.pipeline.parsing.page_parser import PageParser, ParseJob
from telusur.pipeline.parsing.reading import PageReader
from telusur.pipeline.plan.plan import make_discovery, make_plan
from telusur.pipeline.recorder import Recorder
from telusur.settings import CrawlSettings
from telusur.testing.cases import Clock, changes_of

START = "http://coast.example/"


class PaperGate:
    """Answers from a table, and notes how many requests each host has at a time."""

    def __init__(self, pages):
        self.pages = pages
        self.asked = []
        self.at_once = Counter()
        self.most_at_once = 0
        self.after = lambda url: None

    async def fetch(self, url, **_):
        host = url.split("/")[2]
        self.asked.append(url)
        self.at_once[host] += 1
        self.most_at_once = max(self.most_at_once, self.at_once[host])
        await asyncio.sleep(0)
        self.at_once[host] -= 1
        self.after(url)
        body = self.pages.get(url)
        if body is None:
            return Page(url, 404, headers=(("Content-Type", "text/plain"),), body=b"")
        kind = "text/plain" if url.endswith("robots.txt") else "text/html"
        return Page(url, 200, headers=(("Content-Type", kind),), body=body.encode())

    def knows(self, url):
        return True

    def close(self):
        pass


class Desk:
    """A recorder with a parser beside it; a test plays the scouter."""

    def __init__(self, store=None, start=START, **settings):
        self.clock = Clock()
        self.store = store or MemoryStore(self.clock)
        self.session = self.store.session()
        self.plan = make_plan([start], CrawlSettings(**settings))
        self.discovery = make_discovery(self.plan)
        self.recorder = Recorder(self.session, self.discovery, self.plan.strategy)
        self.parser = PageParser(self.discovery, "article", 10**7, wants_signature=True)
        self.hosts = {}

    def start(self, *urls):
        """Put URLs into the frontier as a crawl begins."""
        with self.recorder.transaction():
            self.recorder.scoring.resume()
            self.recorder.catalogue.begin_crawl({}, urls, has_topic=False)
            for url in urls:
                found = self.discovery.found_by_address(url, 0)
                self.recorder.frontier.add(
                    [NewUrl(found.url_id, url, found.host, found.site, 0, 1.0)]
                )
        return self

    def lease(self, k=9):
        """Return all URLs that may be fetched now."""
        refill = self.recorder.write(Group(new_hosts=9, k=k), self.clock())
        leased = [(lease, one) for lease in refill.leases for one in lease.urls]
        self.hosts |= {one.url: lease for lease, one in leased}
        return {one.url: one for _, one in leased}

    def outcome(self, leased, html="", state=State.DONE, **more):
        """Return how a URL ended that answered with this page."""
        headers = (("Content-Type", "text/html"),)
        page = Page(leased.url, 200, headers=headers, body=html.encode(), fetched_at=self.clock())
        parsed = self.parser.parse(ParseJob.of(page, leased.depth)) if html else None
        lease = self.hosts[leased.url]
        verdict = Verdict(leased.url_id, state)
        return Outcome(leased, lease.host, lease.site, verdict, page, parsed, **more)

    def write(self, *outcomes, **more):
        """Write a group, and hand out what its hosts have."""
        hosts = dict.fromkeys(one.host for one in outcomes)
        group = Group(list(outcomes), hungry=[(host, 9) for host in hosts], new_hosts=9, k=9)
        for name, value in more.items():
            setattr(group, name, value)
        refill = self.recorder.write(group, self.clock())
        self.recorder.commit()
        for host, urls in refill.more.items():
            lease = next(lease for lease in self.hosts.values() if lease.host == host)
            self.hosts |= {one.url: lease for one in urls}
        return refill

    def equipment(self, gate):
        """Return what a scouter is handed; pages are parsed in this thread."""

        async def parse(job):
            return self.parser.parse(job)

        progress = Progress.continuing(self.session.frontier.counts(), self.clock())
        return Equipment(
            gate, PageReader(parse), self.recorder, self.discovery, self.clock, progress,
            self.plan.terms.terms_for, self.plan.budgets,
            SitemapRules(self.plan.settings, self.discovery, self.plan.start_urls),
            self.store.reader(),
        )  # fmt: skip

    def states(self):
        """Return the number of URLs by state."""
        counts = self.session.frontier.counts()
        names = ("waiting", "leased", "done", "failed", "skipped")
        return {name: n for name in names if (n := getattr(counts, name))}

    def documents(self):
        """Return the documents by URL: why each is not in the index, or an empty text."""
        return {one.document.url: one.not_indexed for one in changes_of(self.store)}


class Parts:
    """The parts of a scouter without the scouter: a test takes its steps."""

    def __init__(self, pages=(), *, is_ordered=False, **settings):
        self.desk = Desk(delay=0, render="never", **settings).start(START)
        self.clock = self.desk.clock
        self.gate = PaperGate(dict(pages))
        self.equipment = self.desk.equipment(self.gate)
        self.hosts = ActiveHosts(self.equipment.terms_for, is_fair=True)
        self.wakes = 0
        # How long a host takes to answer.
        self.answer_seconds = 0.0
        limits = InFlightLimits(is_ordered)
        recorder, progress = self.equipment.recorder, self.equipment.progress
        self.outbox = Outbox(recorder, progress, self.hosts, limits, self._wake)
        self.admission = Admission(
            self.desk.plan.settings, self.equipment, self.hosts, self.outbox, self._fetch
        )
        self.leases = LeasedHosts(self.equipment, self.hosts, self.outbox, self.admission, limits)

    def _wake(self):
        self.wakes += 1

    async def _fetch(self, url, wait=0.0, *, is_redirect=False):
        page = await self.gate.fetch(url)
        self.clock.now += self.answer_seconds
        self.hosts.guest(url.removesuffix("/robots.txt")).heed(page, self.clock())
        return page

    def activate(self, *paths):
        """Return a host at work that was handed these URLs, without rules yet."""
        host = self.hosts.activate(HostLease(START[:-1], "coast.example", 0, ()), self.clock())
        host.urls.extend(leased(path) for path in paths)
        return host

    def learn_rules(self, host, stored=None):
        """Ask a host for its rules; tell whether it is worth waiting for."""
        return asyncio.run(self.admission.learn_rules(host, stored))

    def wishes(self):
        """Return the group with what the hosts at work need now."""
        self.leases.add_wishes(self.clock(), may_lease=True)
        return self.outbox.group

    def write(self):
        """Write the group; return the new hosts whose rules are not known."""
        group = self.outbox.next_group()
        self.leases.exchange(group)
        refill = asyncio.run(self.outbox.write(group, self.clock()))
        return self.leases.take(group, refill, self.clock())

    def take_start(self):
        """Lease the start URL's host, and learn its rules; return it."""
        self.wishes()
        (host,) = self.write()
        self.learn_rules(host)
        return host

    def end(self, host, body="", links=(), **more):
        """Let a host answer for the URL that is its turn."""
        one = host.urls.popleft()
        self.outbox.begin(host)
        self.desk.hosts[one.url] = HostLease(host.name, host.site.name, 0, ())
        outcome = self.desk.outcome(one, html(body or one.url, links=links), **more)
        self.outbox.receive(outcome.page)
        self.outbox.put(outcome)

    def ended(self):
        """Return how URLs ended that are not written yet, by path."""
        return {one.leased.url[len(START) :]: one.verdict for one in self.outbox.group.outcomes}


def leased(path, **more):
    """Return a URL of the start host that was handed out."""
    url = f"{START}{path}"
    return LeasedUrl(url_id_of(url), url, more.pop("depth", 1), 0, 0, **more)


def in_line(host):
    """Return the paths that a host has in line."""
    return [one.url.removeprefix(START) for one in host.urls]


def html(title, text="", links=()):
    """Return a page with a title, a text and links."""
    anchors = "".join(f'<p><a href="{link}">to {link}</a></p>' for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{text or title * 20}</p>{anchors}"
