"""Counts of URLs of a store in memory, by reason and by site."""

from collections import Counter

from telusur.crawl.urls.identity import normalize_url
from telusur.memory.reading.committed import fetches_of, kind_of
from telusur.memory.reading.parked import holds_now
from telusur.memory.state import KnownUrl, Tables
from telusur.models import Reason, State, url_id_of
from telusur.store.records import CrawlRecord
from telusur.store.views import FailedStarts, SiteTally, Tallies

MOST_HOPS = 10
_ENDED_BADLY = (State.FAILED, State.SKIPPED)


def count_tallies(tables: Tables, limit: int, now: float) -> Tallies:
    """Count failed and skipped URLs by reason and by site; summarise the last crawl."""
    kinds: dict[State, Counter[str]] = {state: Counter() for state in _ENDED_BADLY}
    for url in tables.urls.values():
        if url.state in kinds:
            kinds[url.state][kind_of(url.reason)] += 1
    sites = _count_sites(tables)
    last = tables.crawls[-1] if tables.crawls else None
    relevant, rate = _harvest(tables, last)
    return Tallies(
        kinds[State.FAILED], kinds[State.SKIPPED], tuple(sites[:limit]), len(sites),
        last_outcome="" if last is None else last.outcome,
        last_started_at=None if last is None else last.started_at,
        last_ended_at=None if last is None else last.ended_at,
        relevant=relevant,
        harvest_rate=rate,
        holds=holds_now(tables, now),
        failed_starts=None if last is None else _failed_starts(tables, last),
    )  # fmt: skip


def _count_sites(tables: Tables) -> list[SiteTally]:
    """Return the sites with fetched or waiting pages, the largest first."""
    states: Counter[tuple[str, State]] = Counter(
        (tables.hosts[url.host].site, url.state) for url in tables.urls.values()
    )
    tallies = [
        SiteTally(
            site, pages, states[site, State.WAITING] + states[site, State.LEASED],
            states[site, State.FAILED], states[site, State.SKIPPED],
        )
        for site, pages in tables.taken.items()
    ]  # fmt: skip
    shown = [one for one in tallies if one.pages or one.waiting or one.failed]
    return sorted(shown, key=lambda one: (-one.pages, -one.waiting, one.site))


def _harvest(tables: Tables, last: CrawlRecord | None) -> tuple[int | None, float | None]:
    """Return how many documents of the last crawl are relevant, and their share."""
    judged = [
        one.document.topic != ""
        for one in tables.documents.values()
        if last is not None
        and one.document.topic_score is not None
        and one.fetched_at >= last.started_at
    ]
    return (sum(judged), round(sum(judged) / len(judged), 4)) if judged else (None, None)


def _failed_starts(tables: Tables, last: CrawlRecord) -> FailedStarts | None:
    """Return the start URLs of the last crawl if it fetched nothing and all of them failed."""
    good = [fetch for _, fetch in fetches_of(tables) if fetch.page.status in range(200, 300)]
    if good and good[-1].page.fetched_at >= last.started_at:
        return None
    ends = [end for url in last.start_urls if (end := _end_of(tables, url)) is not None]
    if not ends or len(ends) < len(last.start_urls):
        return None
    return FailedStarts(len(ends), ends[0].url, ends[0].state.value, ends[0].reason)


def _end_of(tables: Tables, start_url: str) -> KnownUrl | None:
    """Follow the redirect chain of a start URL; return its end if it failed or was skipped."""
    url = tables.urls.get(url_id_of(normalize_url(start_url) or ""))
    for _ in range(MOST_HOPS):
        if url is None or url.state in _ENDED_BADLY:
            return url
        url = _next_of(tables, url)
    return None


def _next_of(tables: Tables, url: KnownUrl) -> KnownUrl | None:
    """Return the URL that another one redirects to."""
    if not url.reason.startswith(Reason.REDIRECT):
        return None
    found = (each for each in tables.urls.values() if each.parent == url.url_id)
    return min(found, key=lambda each: each.number, default=None)
