"""Reads feeds of all kinds; never raises, never fetches, and resolves no entities of its own."""

import io
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any
from urllib.parse import quote

import feedparser
import webencodings

from telusur.extract.feed.hints import read_hints
from telusur.extract.feed.json_feed import read_json_feed
from telusur.extract.feed.records import Feed, FeedEntry
from telusur.extract.sitemap import parse_moment

# Larger feeds are read up to here: the newest entries stand first.
LARGEST_BYTES = 4 * 1024 * 1024
MOST_ENTRIES = 2_000
_KINDS = ("rss", "atom", "cdf")
# A document type may declare entities that grow to gigabytes. No feed needs one.
_DECLARATIONS = re.compile(rb"<!DOCTYPE[^\[>]{0,1000}\[[^\]]*+(?:\]\s{0,100}>|\Z)", re.IGNORECASE)
# The time for a tag grows with the square of its attributes.
_LONG_TAG = re.compile(rb"<[^<>]{8192}[^<>]*+>?")
_ENTRY_ENDS = re.compile(rb"</(?:\w{1,20}:)?(?:item|entry)\s{0,20}>", re.IGNORECASE)
_JSON_STARTS = re.compile(r"\s*\{")


def parse_feed(data: bytes, url: str = "") -> Feed:
    """Return what a feed says. `url` is where it was found; relative addresses need it.

    Anything that is no feed gives a feed without `kind` and entries.

    1. Cut what is too large. 2. Try JSON. 3. Remove declarations. 4. Read the XML, however broken.
    """
    is_cut = len(data) > LARGEST_BYTES
    body = data[:LARGEST_BYTES]
    text = _json_text(body)
    if text is not None:
        return read_json_feed(text, url, MOST_ENTRIES) or Feed()
    body = _DECLARATIONS.sub(b"", _LONG_TAG.sub(b"", _without_wide_characters(body)))
    first = _first_entries(body)
    feed = _read_xml(first, url)
    feed.is_broken |= is_cut or len(first) < len(body)
    return feed


def _first_entries(body: bytes) -> bytes:
    """Return a feed up to its last entry that counts."""
    ends = islice(_ENTRY_ENDS.finditer(body), MOST_ENTRIES, None)
    return body[: last.start()] if (last := next(ends, None)) else body


def _json_text(body: bytes) -> str | None:
    start, _ = webencodings.decode(body[:64], "utf-8", "replace")
    if not _JSON_STARTS.match(start):
        return None
    text: str = webencodings.decode(body, "utf-8", "replace")[0]
    return text


def _without_wide_characters(body: bytes) -> bytes:
    """Return UTF-16 as UTF-8, so that patterns of bytes fit."""
    start = body[:4]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") and start != b"\xff\xfe\0\0":
        name = "utf-16-le" if start[:1] == b"\xff" else "utf-16-be"
        text = body[2:].decode(name, "replace")
        return re.sub(
            r"encoding=[\"'][^\"']{0,40}[\"']", 'encoding="utf-8"', text, count=1
        ).encode()
    return body


def _read_xml(body: bytes, url: str) -> Feed:
    headers = {"content-type": "application/xml"}
    if url:
        headers["content-location"] = quote(url, safe="/:?#[]@!$&'()*+,;=%~-._")
    try:
        parsed = feedparser.parse(io.BytesIO(body), response_headers=headers)
    except (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError):
        # Parts of the parser trip over odd attributes; such a feed says nothing.
        return Feed(is_broken=True)
    about = parsed.feed
    kind = _kind_of(parsed.get("version", ""), body)
    if not kind and not parsed.entries and not about:
        return Feed()
    return Feed(
        kind=kind,
        id=_text(about, "id"),
        url=_text(about, "link"),
        self_url=_first_link(about, "self"),
        title=_text(about, "title"),
        subtitle=_text(about, "subtitle") or _text(about, "description"),
        author=_author(about),
        language=_text(about, "language"),
        rights=_text(about, "rights"),
        published=_text(about, "published"),
        updated=_text(about, "updated"),
        categories=_categories(about),
        polling=read_hints(about, body),
        entries=[_entry(item) for item in parsed.entries[:MOST_ENTRIES]],
        is_broken=bool(parsed.bozo),
        next_url=_first_link(about, "next"),
    )


def _kind_of(version: str, body: bytes) -> str:
    if version.startswith("rss") and b"<rdf:RDF" in body[:8192]:
        return "rdf"
    return next((kind for kind in _KINDS if version.startswith(kind)), "")


def _entry(item: Mapping[str, Any]) -> FeedEntry:
    published, updated = _text(item, "published"), _text(item, "updated")
    url = _text(item, "link")
    return FeedEntry(
        id=_text(item, "id") or url,
        url=url,
        title=_text(item, "title"),
        summary=_text(item, "summary") or _text(item, "description"),
        content=_content(item.get("content", ())),
        author=_author(item),
        published=published,
        updated=updated,
        published_at=parse_moment(published),
        updated_at=parse_moment(updated),
        categories=_categories(item),
        language=_text(item, "language"),
        rights=_text(item, "rights"),
        enclosures=[
            link["href"] for link in item.get("links", ())
            if link.get("rel") == "enclosure" and link.get("href")
        ],
    )  # fmt: skip


def _text(item: Mapping[str, Any], key: str) -> str:
    # Some keys are computed, and asking for one that is not there warns.
    value = item[key] if key in item else None  # noqa: SIM401
    return value if isinstance(value, str) else ""


def _content(parts: Iterable[Mapping[str, Any]]) -> str:
    """Return the longest form of the text: some entries have it plain and as HTML."""
    return max((part.get("value", "") for part in parts), key=len, default="")


def _author(item: Mapping[str, Any]) -> str | None:
    names = [_text(author, "name") for author in item.get("authors", ())]
    several = ", ".join(dict.fromkeys(filter(None, names)))
    return (several if len(names) > 1 and several else _text(item, "author")) or None


def _categories(item: Mapping[str, Any]) -> list[str]:
    terms = (_text(tag, "label") or _text(tag, "term") for tag in item.get("tags", ()))
    return list(dict.fromkeys(filter(None, (term.strip() for term in terms))))


def _first_link(item: Mapping[str, Any], relation: str) -> str:
    links = item.get("links", ())
    return next((link.get("href", "") for link in links if link.get("rel") == relation), "")
