"""The history of one URL, for `telusur why`."""

from collections.abc import Iterator, Sequence

from telusur.memory.reading.committed import url_of
from telusur.memory.state import KnownUrl, StoredFetch, Tables
from telusur.models import Event, State, Story


def story_of(tables: Tables, url_id: bytes) -> Story | None:
    """Return the history of a URL, oldest first; None if no crawl found it."""
    url = tables.urls.get(url_id)
    if url is None:
        return None
    fetches = tables.fetches.get(url_id, ())
    stored = tables.documents.get(url_id)
    parent = url_of(tables, url.parent)
    return Story(
        url.url, url.state, url.reason, url.depth, parent, url.anchor, url.changed_at,
        events=tuple(_events(url, parent, fetches)),
        indexed=stored is not None and not stored.not_indexed,
        title="" if stored is None else stored.document.title,
        operations=_operations_of(fetches[-1]) if fetches else {},
    )  # fmt: skip


def _events(url: KnownUrl, parent: str | None, fetches: Sequence[StoredFetch]) -> Iterator[Event]:
    yield Event(url.found_at, State.WAITING, _how_found(url, parent))
    for fetch in fetches:
        after = url.state if fetch.is_final else State.WAITING
        yield Event(fetch.page.fetched_at, after, fetch.reason, fetch.page.status)
    has_final_fetch = any(fetch.is_final for fetch in fetches)
    if not has_final_fetch and url.state is not State.WAITING:
        yield Event(url.changed_at, url.state, url.reason)


def _how_found(url: KnownUrl, parent: str | None) -> str:
    if parent is None:
        return f"named by {url.anchor}" if url.anchor else "start URL"
    words = f' by the link "{url.anchor}"' if url.anchor else ""
    return f"found on {parent}{words}"


def _operations_of(fetch: StoredFetch) -> dict[str, float]:
    return {"fetch": fetch.page.seconds, **fetch.operations}
