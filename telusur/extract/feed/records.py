"""What a feed says: about itself, about when to poll it, and its entries."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class FeedEntry:
    """One entry of a feed; dates are as written, those in `..._at` in seconds since 1970."""

    id: str = ""
    url: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    author: str | None = None
    published: str = ""
    updated: str = ""
    published_at: float | None = None
    updated_at: float | None = None
    categories: list[str] = field(default_factory=list)
    language: str = ""
    rights: str = ""
    # Files that come with the entry, such as the sound of a podcast.
    enclosures: list[str] = field(default_factory=list)


@dataclass(slots=True)
class PollingHints:
    """What a feed asks of those who poll it."""

    # Minutes that a copy may be kept, from `ttl` or the syndication module.
    ttl_minutes: float | None = None
    # Hours of the day in UTC, 0 to 23, without new entries.
    skip_hours: frozenset[int] = frozenset()
    # Days without new entries, 0 is Monday.
    skip_days: frozenset[int] = frozenset()
    # WebSub hubs that announce new entries.
    hubs: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Feed:
    """A feed and its entries, newest or oldest first, as the feed has them."""

    # "rss", "rdf", "atom", "cdf", "json", or "" for anything that is no feed.
    kind: str = ""
    id: str = ""
    # The page that the feed belongs to.
    url: str = ""
    # The address that the feed gives for itself.
    self_url: str = ""
    title: str = ""
    subtitle: str = ""
    author: str | None = None
    language: str = ""
    rights: str = ""
    published: str = ""
    updated: str = ""
    categories: list[str] = field(default_factory=list)
    polling: PollingHints = field(default_factory=PollingHints)
    entries: list[FeedEntry] = field(default_factory=list)
    # The file is damaged or was cut; what could be read is here.
    is_broken: bool = False
    # The next part of a feed in several parts.
    next_url: str = ""
