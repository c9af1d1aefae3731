"""Filling a store that a test reads: pages are found, fetched and stored as a crawl does it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from telusur.crawl.frontier_records import NewUrl, Verdict
from telusur.crawl.urls.identity import normalize_url
from telusur.crawl.urls.link_record import pack_links
from telusur.models import Document, Link, Page, State, url_id_of
from telusur.store.session import Session
from telusur.testing.cases import StoreCase

#: A page that no test finds, fetches or adds.
NOBODY = "nobody.example/"


@dataclass(slots=True, frozen=True)
class GivenAnswer:
    """The response for a page, and the state of its URL; a waiting one is retried."""

    status: int | None = 200
    state: State = State.DONE
    reason: str = ""
    fetched_at: float = 100.0
    seconds: float = 0.25
    size_bytes: int = 7
    content_type: str = "text/html"
    body: bytes = b"<p>Owls"
    #: The rendered form.
    rendered: bytes = b""
    is_archived: bool = False
    operations: Mapping[str, float] = field(default_factory=dict)
    crawl_id: int | None = None


class FilledStore:
    """A store under test and its session; each call is a transaction of its own."""

    def __init__(self, case: StoreCase) -> None:
        self.store = case.open_store()
        self.session = self.store.session()

    def write(self, work: Callable[[Session], object]) -> None:
        """Do something in a transaction."""
        self.session.begin()
        work(self.session)
        self.session.commit()

    def find(self, *paths: str, **more: Any) -> None:
        """Add pages to the frontier."""
        self.write(lambda session: session.frontier.add([found_url(p, **more) for p in paths]))

    def fetch(self, path: str, **more: Any) -> bytes:
        """Fetch a page, which is added if it does not wait; return the id of its URL."""
        answer = GivenAnswer(**more)
        self.write(lambda session: _fetch(session, path, answer))
        return id_of(path)

    def put_document(self, path: str, **more: Any) -> bytes:
        """Store a document and return its id; other arguments go to the catalogue."""
        self.write(lambda session: put_document(session, path, **more))
        return id_of(path)

    def put_links(self, path: str, *links: str | Link) -> bytes:
        """Let a page link to others, which are named by their paths; return its id."""
        named = [
            Link(url_of(link), f"to {link}") if isinstance(link, str) else link for link in links
        ]
        targets = b"".join(id_of(link.url.removeprefix("http://")) for link in named)
        record = pack_links(named)
        self.write(lambda session: session.catalogue.put_links(id_of(path), targets, record))
        return id_of(path)


def url_of(path: str) -> str:
    """Return the address of `host/path`."""
    return f"http://{path}"


def id_of(path: str) -> bytes:
    """Return the id of the URL of `host/path`."""
    key = normalize_url(url_of(path))
    assert key is not None, path
    return url_id_of(key)


def ids_of(*paths: str) -> list[bytes]:
    """Return the ids of several URLs."""
    return [id_of(path) for path in paths]


def urls_of(*paths: str) -> list[str]:
    """Return several addresses."""
    return [url_of(path) for path in paths]


def found_url(path: str, depth: int = 1, **more: Any) -> NewUrl:
    """Return a new URL for the frontier."""
    host = path.split("/", maxsplit=1)[0]
    values = {"host": url_of(host), "site": host, **more}
    return NewUrl(id_of(path), url_of(path), depth=depth, **values)


def put_document(session: Session, path: str, **more: Any) -> None:
    """Store a document of `host/path` within a transaction."""
    stored: dict[str, Any] = {
        "site": path.split("/", maxsplit=1)[0], "fetched_at": 100.0, "digest": id_of(path),
        "canonical": None, "not_indexed": "",
    }  # fmt: skip
    stored |= {name: more.pop(name) for name in list(more) if name in stored}
    document = Document(**{"url": url_of(path), "title": path, **more})
    session.catalogue.put_document(id_of(path), document, **stored)


def _fetch(session: Session, path: str, answer: GivenAnswer) -> None:
    """Lease everything, settle one URL, and release the rest."""
    if not session.frontier.known_ids([id_of(path)]):
        session.frontier.add([found_url(path)])
    depth = session.frontier.depths_of([id_of(path)])[id_of(path)]
    session.frontier.add_again([found_url(path, depth)], lambda _state, _reason: True)
    leases = session.frontier.lease(1_000, 1_000)
    _put_fetch(session, path, answer)
    session.frontier.settle([Verdict(id_of(path), answer.state, answer.reason)])
    for lease in leases:
        session.frontier.release(lease.host, 0.0)


def _put_fetch(session: Session, path: str, answer: GivenAnswer) -> None:
    page = Page(
        url_of(path), answer.status, headers=(("Content-Type", answer.content_type),),
        body=answer.body, fetched_at=answer.fetched_at, seconds=answer.seconds,
        status_line=f"HTTP/1.1 {answer.status} Fine",
    )  # fmt: skip
    key = session.archive.append(page, answer.rendered) if answer.is_archived else None
    session.catalogue.put_fetch(
        id_of(path), page, key, size_bytes=answer.size_bytes, reason=answer.reason,
        is_final=answer.state is not State.WAITING, operations=answer.operations,
        crawl_id=answer.crawl_id,
    )  # fmt: skip


def paths_in(rows: Sequence[Any]) -> list[str]:
    """Return what follows `http://` of the addresses of records, or of rows by name."""
    urls = [row["url"] if isinstance(row, dict) else row.url for row in rows]
    return [url.removeprefix("http://") for url in urls]
