"""The frontier in memory: which URLs may be fetched now, and by whom."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from telusur.crawl.frontier_records import HostLease, LeasedUrl, Verdict
from telusur.memory.intake import Intake
from telusur.memory.state import KnownHost, KnownUrl, Tables
from telusur.models import Counts, State


class MemoryFrontier(Intake):
    """Implements `telusur.store.frontier.Frontier`."""

    def lease(self, hosts: int, k: int) -> list[HostLease]:
        """Lease up to `hosts` hosts that are due, each with up to `k` URLs.

        Sites with the fewest pages come first; or hosts with the best URLs, if the strategy
        is an ordered one.
        """
        tables, now = self._space.write(), self._space.clock()
        waiting = _waiting_by_host(tables)
        ready = [
            host
            for name in waiting
            if (host := tables.hosts[name]).owner is None
            and host.not_before <= now
            and any(url.retry_at <= now for url in waiting[name])
        ]
        if self._scores.is_ordered:
            ready.sort(key=lambda host: (-_best_score(waiting[host.host]), host.number))
        else:
            ready.sort(key=lambda host: (tables.taken[host.site], host.not_before, host.number))
        return [self._lease_host(tables, host, k) for host in ready[: max(0, hosts)]]

    def _lease_host(self, tables: Tables, host: KnownHost, k: int) -> HostLease:
        tables.hosts[host.host] = replace(host, owner=self._space.owner)
        urls = self._hand_out(tables, self._best(tables, host.host)[:k])
        return HostLease(host.host, host.site, tables.taken[host.site], urls)

    def top_up(self, host: str, k: int) -> tuple[LeasedUrl, ...]:
        """Lease more URLs of a host that this session has leased."""
        tables = self._space.write()
        if not self._is_mine(tables, host):
            return ()
        return self._hand_out(tables, self._best(tables, host)[:k])

    def give_back(self, host: str, url_ids: Sequence[bytes]) -> None:
        """Return leased URLs of a host to waiting; the host stays leased."""
        tables, now = self._space.write(), self._space.clock()
        for url in self._leased(tables, host, url_ids):
            tables.put(replace(url, state=State.WAITING, changed_at=now))

    def exchange(self, host: str, url_ids: Sequence[bytes], k: int) -> tuple[LeasedUrl, ...]:
        """Return leased URLs of a host to waiting, and lease its best `k` instead.

        URLs that this session has leased may be leased again, even before their retry time.
        """
        tables = self._space.write()
        if not self._is_mine(tables, host):
            return ()
        back = self._leased(tables, host, url_ids)
        best = sorted(self._best(tables, host) + back, key=lambda url: url.rank)[:k]
        self.give_back(host, url_ids)
        return self._hand_out(tables, best)

    def _best(self, tables: Tables, host: str) -> list[KnownUrl]:
        """Return the URLs of a host that may be fetched now, the best first."""
        now = self._space.clock()
        waiting = _waiting_by_host(tables).get(host, [])
        return sorted((url for url in waiting if url.retry_at <= now), key=lambda url: url.rank)

    def _hand_out(self, tables: Tables, urls: Sequence[KnownUrl]) -> tuple[LeasedUrl, ...]:
        now = self._space.clock()
        for url in urls:
            tables.put(replace(url, state=State.LEASED, changed_at=now))
        levels = {url_id: sitemap.level for url_id, sitemap in tables.sitemaps.items()}
        with_note = self._scores.keeps_notes
        return tuple(url.lease(levels.get(url.url_id, 0), with_note=with_note) for url in urls)

    def _is_mine(self, tables: Tables, host: str) -> bool:
        return host in tables.hosts and tables.hosts[host].owner == self._space.owner

    def _leased(self, tables: Tables, host: str, url_ids: Iterable[bytes]) -> list[KnownUrl]:
        """Return those of the URLs that this session has leased with the host."""
        urls = [tables.urls[url_id] for url_id in url_ids] if self._is_mine(tables, host) else []
        return [url for url in urls if url.host == host and url.state is State.LEASED]

    def settle(self, verdicts: Sequence[Verdict]) -> None:
        """Record how leased URLs ended; a retry waits until its time."""
        tables, now = self._space.write(), self._space.clock()
        for verdict in verdicts:
            url = tables.urls[verdict.url_id]
            if url.is_open and self._is_mine(tables, url.host):
                tables.put(_settled(url, verdict, now))

    def release(self, host: str, rest_seconds: float) -> None:
        """Release a host; its leased URLs wait again, and it rests for that time."""
        tables, now = self._space.write(), self._space.clock()
        if self._is_mine(tables, host):
            known = tables.hosts[host]
            not_before = max(known.not_before, now + rest_seconds)
            tables.hosts[host] = replace(known, owner=None, not_before=not_before)
            tables.unlease({host}, now)

    def rest(self, hosts: Mapping[str, float]) -> None:
        """Park these hosts, and no others, for so many seconds."""
        tables, now = self._space.write(), self._space.clock()
        for name, host in tables.hosts.items():
            not_before = now + hosts[name] if name in hosts else 0.0
            tables.hosts[name] = replace(host, not_before=not_before)

    def seconds_until_ready(self) -> float | None:
        """Return when the next free host with waiting URLs is due; None if there is none."""
        tables, now = self._space.read(), self._space.clock()
        times = [
            max(tables.hosts[name].not_before, min(url.retry_at for url in urls))
            for name, urls in _waiting_by_host(tables).items()
            if tables.hosts[name].owner is None
        ]
        return max(0.0, min(times) - now) if times else None

    def count_taken(self, sites: Mapping[str, int]) -> None:
        """Add to the number of pages fetched from each site."""
        taken = self._space.write().taken
        for site in sites.keys() & taken.keys():
            taken[site] += sites[site]

    # Reading

    def known_ids(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that the frontier knows."""
        return set(url_ids) & self._space.read().urls.keys()

    def depths_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the depths of known URLs."""
        urls = self._space.read().urls
        return {url_id: urls[url_id].depth for url_id in url_ids if url_id in urls}

    def with_waiting(self, hosts: Iterable[str]) -> set[str]:
        """Return those of the hosts that have waiting URLs."""
        return set(hosts) & _waiting_by_host(self._space.read()).keys()

    def counts(self) -> Counts:
        """Count the URLs by state."""
        states = Counter(str(url.state) for url in self._space.read().urls.values())
        return Counts(**states)


def _waiting_by_host(tables: Tables) -> dict[str, list[KnownUrl]]:
    waiting: dict[str, list[KnownUrl]] = {}
    for url in tables.urls.values():
        if url.state is State.WAITING:
            waiting.setdefault(url.host, []).append(url)
    return waiting


def _best_score(urls: Sequence[KnownUrl]) -> float:
    return max(url.score for url in urls)


def _settled(url: KnownUrl, verdict: Verdict, now: float) -> KnownUrl:
    waits = verdict.state is State.WAITING
    ended = replace(
        url, state=verdict.state, reason=verdict.reason, tries=url.tries + verdict.tries,
        retry_at=now + verdict.retry_after, note=url.note if waits else b"", changed_at=now,
    )  # fmt: skip
    if not verdict.moved_to:
        return ended
    # Another spelling of the same URL does not count as a try.
    return replace(ended, url=verdict.moved_to, hops=url.hops + 1, tries=ended.tries - 1)
