"""One site of a store in memory, or all of them: hosts, URLs, responses and links."""

from collections import Counter
from collections.abc import Callable, Iterator

from telusur.memory.reading.committed import Committed, documents_of, fate_of, kind_of, url_of
from telusur.memory.reading.site_documents import MemorySiteDocuments
from telusur.memory.state import KnownHost, KnownUrl, StoredFetch
from telusur.models import Reason, State
from telusur.store.sites import AuditedFetch

MOST_VALUES = 50
_REDIRECTS = (301, 302, 303, 307, 308)
_ENDED = (State.DONE, State.FAILED, State.SKIPPED)

_Answer = tuple[KnownUrl, StoredFetch]


class MemorySite(MemorySiteDocuments):
    """Implements `telusur.store.sites.SiteReader`; an empty name stands for all sites."""

    def __init__(self, committed: Committed, name: str) -> None:
        super().__init__(committed(), name)

    # Hosts and URLs

    def hosts(self, limit: int) -> list[tuple[str, int | None, float | None, bytes]]:
        """Return hosts with their robots.txt: name, status, time of the request, content."""
        hosts = sorted(self._hosts(), key=lambda host: host.host)[:limit]
        return [
            (host.host, None, None, b"")
            if host.robots is None
            else (host.host, host.robots.status, host.robots.at, host.robots.data)
            for host in hosts
        ]

    def count_hosts(self) -> int:
        """Return how many hosts there are."""
        return len(self._hosts())

    def _hosts(self) -> list[KnownHost]:
        hosts = self._tables.hosts.values()
        return [host for host in hosts if self._name in ("", host.site)]

    def states(self) -> list[tuple[State, str, int]]:
        """Count URLs by state and kind of reason."""
        counted = Counter((url.state, kind_of(url.reason)) for url in self._urls())
        order = list(State)
        rows = [(state, kind, number) for (state, kind), number in counted.items()]
        return sorted(rows, key=lambda row: (order.index(row[0]), row[1]))

    def excluded(self, limit: int) -> list[tuple[str, str]]:
        """Return URLs that robots.txt disallows: URL and reason."""
        return [
            (url.url, url.reason)
            for url in self._urls()
            if url.state is State.SKIPPED and url.reason.startswith(Reason.ROBOTS)
        ][:limit]

    def fate_of(self, url_id: bytes) -> tuple[str, str, int | None]:
        """Return state, reason and last status of any URL."""
        return fate_of(self._tables, url_id)

    # Responses

    def _answers(self) -> list[_Answer]:
        """Return the newest response of each URL that has ended."""
        fetches = self._tables.fetches
        urls = [url for url in self._urls() if url.state in _ENDED and url.url_id in fetches]
        return [(url, fetches[url.url_id][-1]) for url in urls]

    def count_fetched(self, column: str) -> dict[str, int]:
        """Count responses by status or content_type, the most frequent first."""
        counted = Counter(getattr(fetch.page, column) for _, fetch in self._answers())
        named = {"none" if value is None else value: number for value, number in counted.items()}
        # Numbers come before texts.
        rows = sorted(named.items(), key=lambda row: (-row[1], isinstance(row[0], str), row[0]))
        return {str(value) or "unknown": number for value, number in rows[:MOST_VALUES]}

    def median_seconds(self) -> float:
        """Return the median response time in seconds."""
        pages = [fetch.page for _, fetch in self._answers() if fetch.page.status is not None]
        seconds = sorted(page.seconds for page in pages)
        return seconds[len(seconds) // 2] if seconds else 0.0

    def slow(self, seconds: float, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return how many responses took at least so long, and the slowest ones."""
        found = [one for one in self._answers() if one[1].page.seconds >= seconds]
        found.sort(key=lambda one: -one[1].page.seconds)
        return len(found), [_audited(*one) for one in found[:limit]]

    def redirects(self, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return redirects."""
        found = self._by_url(lambda url, fetch: fetch.page.status in _REDIRECTS)
        return len(found), [_audited(*one) for one in found[:limit]]

    def failed(self, limit: int) -> tuple[int, list[tuple[str, str, int | None, str]]]:
        """Return failed URLs: URL, reason, status, and where the URL was found."""
        found = self._by_url(lambda url, fetch: url.state is State.FAILED)
        return len(found), [
            (url.url, url.reason, fetch.page.status, url_of(self._tables, url.parent) or "")
            for url, fetch in found[:limit]
        ]

    def files_fetched(self, like: str) -> Iterator[tuple[str, str, int, int | None]]:
        """Yield URL, type, size and status of responses whose type has this prefix."""
        for url, fetch in self._by_url(lambda _, fetch: fetch.page.content_type.startswith(like)):
            yield url.url, fetch.page.content_type, fetch.size_bytes, fetch.page.status

    def _by_url(self, is_wanted: Callable[[KnownUrl, StoredFetch], bool]) -> list[_Answer]:
        found = [one for one in self._answers() if is_wanted(*one)]
        return sorted(found, key=lambda one: one[0].url)

    # Links

    def broken_ids(self) -> Iterator[bytes]:
        """Yield the ids of all failed URLs, of any site."""
        for url in self._tables.urls.values():
            if url.state is State.FAILED:
                yield url.url_id
        for stored in self._tables.documents.values():
            if stored.not_indexed == Reason.SOFT_404:
                yield stored.url_id

    def link_records(self) -> Iterator[tuple[str, bytes]]:
        """Yield URL and packed links of each document with links."""
        for stored in documents_of(self._tables, self._name):
            if stored.url_id in self._tables.links:
                yield stored.document.url, self._tables.links[stored.url_id][1]

    def link_targets(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield id and targets of each document with links."""
        for stored in documents_of(self._tables, self._name):
            if stored.url_id in self._tables.links:
                yield stored.url_id, self._tables.links[stored.url_id][0]

    def page_and_links(self, url_id: bytes) -> tuple[str, bytes]:
        """Return URL and packed links of a document."""
        stored, links = self._tables.documents.get(url_id), self._tables.links.get(url_id)
        return ("", b"") if stored is None or links is None else (stored.document.url, links[1])

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _audited(url: KnownUrl, fetch: StoredFetch) -> AuditedFetch:
    page = fetch.page
    return AuditedFetch(
        url.url_id, url.url, url.state, url.reason, page.status, page.seconds, fetch.size_bytes
    )  # fmt: skip
