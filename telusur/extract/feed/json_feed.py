"""Reads JSON Feed, versions 1.0 and 1.1."""

import json
from collections.abc import Mapping
from typing import Any

from telusur.extract.feed.records import Feed, FeedEntry, PollingHints
from telusur.extract.page.resolve import resolve_url
from telusur.extract.sitemap import parse_moment

_MOST_AUTHORS = 20


def read_json_feed(text: str, url: str, most_entries: int) -> Feed | None:
    """Return the feed of a JSON document; None if it is none."""
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(about, dict) or not isinstance(about.get("items"), list):
        return None
    base = url or _text(about, "feed_url") or _text(about, "home_page_url")
    return Feed(
        kind="json",
        id=_text(about, "feed_url"),
        url=_address(about, "home_page_url", base),
        self_url=_address(about, "feed_url", base),
        title=_text(about, "title"),
        subtitle=_text(about, "description"),
        author=_author(about),
        language=_text(about, "language"),
        polling=PollingHints(hubs=_hubs(about)),
        entries=[
            _entry(item, base, about) for item in about["items"][:most_entries]
            if isinstance(item, dict)
        ],
        is_broken=len(about["items"]) > most_entries,
        next_url=_address(about, "next_url", base),
    )  # fmt: skip


def _entry(item: Mapping[str, Any], base: str, feed: Mapping[str, Any]) -> FeedEntry:
    published, updated = _text(item, "date_published"), _text(item, "date_modified")
    return FeedEntry(
        id=_text(item, "id") or _text(item, "url"),
        url=_address(item, "url", base) or _address(item, "external_url", base),
        title=_text(item, "title"),
        summary=_text(item, "summary"),
        content=_text(item, "content_html") or _text(item, "content_text"),
        author=_author(item) or _author(feed),
        published=published,
        updated=updated,
        published_at=parse_moment(published),
        updated_at=parse_moment(updated),
        categories=[tag.strip() for tag in _list(item, "tags") if isinstance(tag, str)],
        language=_text(item, "language"),
        enclosures=[_address(one, "url", base) for one in _records(item, "attachments")],
    )


def _text(item: Mapping[str, Any], key: str) -> str:
    """Return a text; ids are numbers in some feeds."""
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _address(item: Mapping[str, Any], key: str, base: str) -> str:
    reference = _text(item, key)
    return (resolve_url(base, reference) or "") if reference else ""


def _list(item: Mapping[str, Any], key: str) -> list[Any]:
    value = item.get(key)
    return value if isinstance(value, list) else []


def _records(item: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    return [one for one in _list(item, key) if isinstance(one, dict)]


def _author(item: Mapping[str, Any]) -> str | None:
    """Return the names of `authors`, or of `author` as version 1.0 has it."""
    authors = _records(item, "authors") or [
        one for one in (item.get("author"),) if isinstance(one, dict)
    ]
    names = [_text(one, "name") for one in authors[:_MOST_AUTHORS]]
    return ", ".join(filter(None, names)) or None


def _hubs(about: Mapping[str, Any]) -> list[str]:
    hubs = [_text(hub, "url") for hub in _records(about, "hubs")]
    return [hub for hub in hubs if hub.startswith(("http://", "https://"))]
