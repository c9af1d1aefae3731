"""The records of the demo web: responses, the entries behind them, and the truth about pages."""

import gzip
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any

_UNKNOWN_CHANGE = "2026-01-01"
_COMPRESSIBLE = (
    "text/",
    "application/json",
    "application/xml",
    "application/rss",
    "application/atom",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP response, ready to be sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return the first header of this name (any case), or an empty string."""
        name = name.lower()
        return next((value for key, value in self.headers if key.lower() == name), "")


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth about one URL, whatever a crawler or extractor makes of it.

    `text` is what a reader would copy from the page: no navigation, title, byline, comments.
    `shows` names the traps and special cases of the page. `indexed` is whether a crawler that
    follows the rules may put the page into its index, `allowed` whether robots.txt lets it in.
    `location` is where a redirect leads, or the canonical URL; `hidden` is text no reader sees.
    `encoding` is the true one of the bytes, whatever the page claims.
    """

    url: str
    site: str
    path: str
    status: int = 200
    kind: str = "article"
    title: str = ""
    author: str | None = None
    date: str | None = None
    topic: str = ""
    language: str = ""
    text: str = ""
    shows: tuple[str, ...] = ()
    indexed: bool = True
    allowed: bool = True
    location: str | None = None
    hidden: str = ""
    encoding: str = "utf-8"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class SiteEntry:
    """One thing a site serves: its bytes, its headers, and the truth about it if it is listed.

    The first `fails` requests for it are answered 503 with `Retry-After: 1`.
    """

    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    truth: Truth | None = None
    fails: int = 0
    changed: str | None = None

    @cached_property
    def etag(self) -> str:
        """Return the entity tag: the same bytes always have the same one."""
        return f'"{blake2b(self.body, digest_size=8).hexdigest()}"'

    @cached_property
    def last_modified(self) -> str:
        """Return the day of the last change as an HTTP date."""
        day = datetime.fromisoformat(self.changed or _UNKNOWN_CHANGE).replace(tzinfo=UTC)
        return format_datetime(day, usegmt=True)

    @cached_property
    def gzipped(self) -> bytes:
        """Return the body compressed, made once."""
        return gzip.compress(self.body, 6, mtime=0)

    @property
    def is_compressible(self) -> bool:
        """Tell whether compression is worth it."""
        return len(self.body) > 200 and self.content_type.startswith(_COMPRESSIBLE)
