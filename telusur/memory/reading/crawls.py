"""What happened in the crawls of a store in memory."""

from collections import Counter
from dataclasses import replace

from telusur.crawl.secrets import without_secrets
from telusur.errors import UsageError
from telusur.memory.reading.committed import Committed, fetches_of, kind_of
from telusur.memory.reading.tallies import count_tallies
from telusur.memory.state import Clock, StoredFetch, Tables
from telusur.models import State
from telusur.store.records import CrawlRecord, Cursor
from telusur.store.views import LastPage, ListedUrl, ServerAnswers, SlowHost, Tallies

LAST_PAGES = 15
RECENT_PAGES = 5_000
SLOWEST_HOSTS = 8


class MemoryCrawls:
    """Implements `telusur.store.crawls.CrawlReader`, always up to date."""

    def __init__(self, committed: Committed, clock: Clock) -> None:
        self._committed = committed
        self._clock = clock

    def runs(self) -> list[CrawlRecord]:
        """Return all crawls, the oldest first; without credentials."""
        crawls = self._committed().crawls
        return [replace(one, settings=without_secrets(one.settings)) for one in crawls]

    def last_run(self) -> CrawlRecord | None:
        """Return the crawl that was started last, or None."""
        return next(reversed(self.runs()), None)

    def start_urls(self) -> list[str]:
        """Return the start URLs of all crawls, in the order they were first named."""
        return list(dict.fromkeys(url for run in self.runs() for url in run.start_urls))

    def hosts_to_ask(self) -> set[str]:
        """Return the hosts with waiting or leased URLs."""
        return {url.host for url in self._committed().urls.values() if url.is_open}

    def last_pages(self) -> tuple[LastPage, ...]:
        """Return the pages fetched last, the newest first."""
        tables = self._committed()
        newest = fetches_of(tables)[::-1][:LAST_PAGES]
        return tuple(
            _last_page(tables, url_id, fetch) for url_id, fetch in newest if url_id in tables.urls
        )

    def answers(self) -> ServerAnswers:
        """Return statistics of responses."""
        tables = self._committed()
        fetches = fetches_of(tables)
        statuses = Counter(
            "none" if fetch.page.status is None else str(fetch.page.status) for _, fetch in fetches
        )
        seconds: dict[str, list[float]] = {}
        for url_id, fetch in fetches[-RECENT_PAGES:]:
            if url_id in tables.urls:
                seconds.setdefault(tables.urls[url_id].host, []).append(fetch.page.seconds)
        hosts = [SlowHost(host, len(all_), sum(all_) / len(all_)) for host, all_ in seconds.items()]
        slowest = sorted(hosts, key=lambda one: -one.seconds)[:SLOWEST_HOSTS]
        return ServerAnswers(dict(statuses.most_common()), tuple(slowest))

    def list_urls(self, state: State, reason: str, after: Cursor, limit: int) -> list[ListedUrl]:
        """Return URLs in a state, and with a kind of reason unless it is empty."""
        if after and not after.isdecimal():
            raise UsageError(f"after: {after!r} is not a position in this list; start without it.")
        place = int(after or 0)
        urls = sorted(self._committed().urls.values(), key=lambda url: url.number)
        return [
            ListedUrl(
                Cursor(str(url.number)), url.url, state.value, url.reason, url.depth, url.changed_at
            )
            for url in urls
            if url.state is state and url.number > place and reason in ("", kind_of(url.reason))
        ][:limit]

    def tallies(self, limit: int) -> Tallies:
        """Count failed and skipped URLs by reason, and the `limit` largest sites."""
        return count_tallies(self._committed(), limit, self._clock())


def _last_page(tables: Tables, url_id: bytes, fetch: StoredFetch) -> LastPage:
    page, stored = fetch.page, tables.documents.get(url_id)
    title = "" if stored is None else stored.document.title
    return LastPage(
        tables.urls[url_id].url, title, page.status, fetch.reason, page.seconds, page.fetched_at,
        fetch.size_bytes,
    )  # fmt: skip
