"""Admission: robots.txt of each host, and the leased URLs that may be fetched."""

import asyncio
from collections.abc import Iterable

from telusur.crawl.frontier_records import LeasedUrl, Verdict
from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.verdicts import verdict_without_robots
from telusur.fetch.robots import (
    FRESH_SECONDS,
    LARGE_BYTES,
    PoliteFetch,
    RobotsAnswer,
    ask_for_robots,
    ask_patiently,
    rules_from,
)
from telusur.models import Reason, State
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.outbox import Outbox
from telusur.pipeline.outcomes import Outcome, RobotsFile
from telusur.settings import CrawlSettings
from telusur.store.records import StoredRobots


class Admission:
    """Fetches robots.txt and queues the allowed URLs of a host; the others end here."""

    def __init__(
        self,
        settings: CrawlSettings,
        equipment: Equipment,
        hosts: ActiveHosts,
        outbox: Outbox,
        fetch: PoliteFetch,
    ) -> None:
        self._agent = settings.user_agent
        self._heeds_traps = settings.traps
        self._with = equipment
        self._hosts = hosts
        self._outbox = outbox
        self._fetch = fetch
        self._started_at = equipment.clock()

    # Rules

    def obey_stored(self, host: ActiveHost, stored: StoredRobots | None, now: float) -> None:
        """Use the stored rules of a host, if they are fresh and small."""
        if stored is None or not _is_fresh(stored, now) or len(stored.data) > LARGE_BYTES:
            return
        self._take_on(host, rules_from(stored.data, stored.status))

    async def learn_rules(self, host: ActiveHost, stored: StoredRobots | None) -> bool:
        """Get a host's rules before its first page; return whether the host is worth waiting for.

        Large stored rules are parsed in a thread, so that they do not block other hosts.
        """
        if stored is not None and _is_fresh(stored, self._with.clock()):
            robots = await asyncio.to_thread(rules_from, stored.data, stored.status, self._agent)
            self._take_on(host, robots)
            return True
        return await self._ask(host)

    async def _ask(self, host: ActiveHost) -> bool:
        """Fetch robots.txt; retry a host that worked before, until --patience is over."""
        answer = await ask_patiently(self._fetch, host.name, self._agent)
        health = host.health
        while answer and answer.rules is None and health.is_known and health.is_away:
            if health.is_given_up:
                return False
            answer = await ask_for_robots(self._fetch, host.name, self._agent)
        if answer is not None:
            self._heed(host, answer)
        return True

    def _heed(self, host: ActiveHost, answer: RobotsAnswer) -> None:
        """Apply the robots.txt response; without rules, no URL of the host is fetched."""
        self._outbox.group.robots.append(RobotsFile(host.name, answer.page, answer.data))
        self._obey(host, answer.rules or Robots.disallow_all())
        host.rest(self._with.clock(), host.manners.delay(answer.page.seconds))
        if answer.rules is None:
            host.refusal = answer.page
        self._admit_all(host)

    def _take_on(self, host: ActiveHost, robots: Robots) -> None:
        """Apply stored rules after the host's delay, since a request may have preceded a kill."""
        self._obey(host, robots)
        host.rest(self._started_at, host.manners.delay(0.0))
        self._admit_all(host)

    def _obey(self, host: ActiveHost, robots: Robots) -> None:
        host.obey(robots, self._agent)
        self._outbox.group.sitemaps += self._with.sitemaps.of_host(host.name, robots)

    def _admit_all(self, host: ActiveHost) -> None:
        """Judge the URLs that were leased before the rules were known."""
        urls = tuple(host.urls)
        host.urls.clear()
        self.admit(host, urls)

    # URLs

    def admit(
        self, host: ActiveHost, urls: Iterable[LeasedUrl], before: Iterable[LeasedUrl] = ()
    ) -> None:
        """Queue the URLs that robots.txt, traps and budgets allow; the others end.

        URLs in `before` were in the queue already and are not judged again.
        """
        stood = {leased.url_id: leased for leased in before}
        for leased in urls:
            is_asked = stood.pop(leased.url_id, None) is not None
            verdict = None if is_asked else self._objection(host, leased)
            if verdict is None:
                host.urls.append(leased)
            else:
                self._outbox.begin(host)
                self._outbox.put(Outcome(leased, host.name, host.site.name, verdict))
        for leased in stood.values():
            self._with.budgets.give_back(leased.url)
        self._hosts.enlist(host)

    def _objection(self, host: ActiveHost, leased: LeasedUrl) -> Verdict | None:
        """Return why a URL is not fetched, or None."""
        assert host.robots is not None
        if host.refusal is not None:
            return verdict_without_robots(leased, host.refusal)
        if not host.robots.allows(leased.url, self._agent):
            reason = f"{Reason.ROBOTS}: {host.robots.rule_for(leased.url, self._agent)}"
            return Verdict(leased.url_id, State.SKIPPED, reason)
        if not self._with.client.knows(leased.url):
            return Verdict(leased.url_id, State.SKIPPED, Reason.NOT_ARCHIVED)
        if leased.sitemap:
            return None
        reason = self._stale_reason(leased) or self._with.budgets.take(leased.url)
        return Verdict(leased.url_id, State.SKIPPED, reason) if reason else None

    def end_if_stale(self, host: ActiveHost, leased: LeasedUrl) -> bool:
        """End a queued URL whose kind has become a trap; tell whether."""
        reason = self._stale_reason(leased)
        if not reason:
            return False
        self._with.budgets.give_back(leased.url)
        verdict = Verdict(leased.url_id, State.SKIPPED, reason)
        self._outbox.put(Outcome(leased, host.name, host.site.name, verdict))
        self._hosts.enlist(host)
        return True

    def _stale_reason(self, leased: LeasedUrl) -> str:
        """Return why pages of this kind are no longer fetched, or an empty string."""
        if leased.sitemap or not self._heeds_traps:
            return ""
        return self._with.recorder.yields.stale_reason(leased.url, leased.depth) or ""


def _is_fresh(stored: StoredRobots, now: float) -> bool:
    return stored.at > now - FRESH_SECONDS
