"""Sitemaps in all their dialects: XML, an index of others, lines of text, RSS and Atom.

A scanner for the few relevant elements reads them, not an XML parser. So entities are never
resolved, nothing explodes or is fetched, and the intact parts of a broken file are read. It works
on pieces: memory does not grow with the file.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import NamedTuple

import webencodings

from telusur.extract.page.content_coding import (
    ContentCodingError,
    decode_content,
    gunzip_pieces,
    pieces_of,
)
from telusur.extract.page.resolve import resolve_url

# The limit of the protocol for one sitemap.
MOST_URLS = 50_000
# The limit of the protocol for one uncompressed sitemap.
LARGEST_BYTES = 50 * 1024 * 1024
FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
_LONGEST_URL = 2083
_HEAD_CHARACTERS = 16_384
_MOST_UNREAD = 65_536
_GZIP = b"\x1f\x8b"

_LABEL = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_ROOT = re.compile(r"<([\w.-]{1,40}:)?(sitemapindex|urlset|rss|feed|RDF|html)[\s>]", re.IGNORECASE)
_BARE = re.compile(r"<()(sitemap|url|loc)[\s>]")
_COMMENT_OPENS, _COMMENT_CLOSES = "<!--", "-->"
_KINDS = {"sitemapindex": "index", "sitemap": "index", "urlset": "urlset", "url": "urlset",
          "loc": "urlset", "rss": "feed", "feed": "feed", "rdf": "feed"}  # fmt: skip

# Text up to the next element; a cut-off text does not match. All bounded, so that no file makes the
# scanner read the same text repeatedly.
_TEXT = r"([^<]{0,4000}+(?:<!\[CDATA\[[^<]{0,4000}+){0,9}+)(?=<)"
_ATTRIBUTES = r"(\s[^<>]{0,2000})?"
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|\w+);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LINE = re.compile(r"\s*(https?://\S+)\s*", re.IGNORECASE)
_HREF = re.compile(r"\shref\s*=\s*[\"']([^\"']*)")
_REL = re.compile(r"\srel\s*=\s*[\"']?\s*([\w-]+)")
_DAY = re.compile(r"(\d{4})(?:-(\d\d))?")


class SitemapEntry(NamedTuple):
    """A URL that a sitemap names, as it is written there, and what is said about it."""

    url: str
    # When it changed last, in seconds since 1970.
    lastmod: float | None = None
    changefreq: str = ""
    priority: float | None = None


@dataclass(slots=True)
class Sitemap:
    """What a file names: other sitemaps (`index`), or pages (`urlset`, `text`, `feed`)."""

    kind: str
    entries: list[SitemapEntry] = field(default_factory=list)
    # It has more than a sitemap may have.
    truncated: bool = False

    @property
    def urls(self) -> list[SitemapEntry]:
        """The pages that it names."""
        return [] if self.kind == "index" else self.entries

    @property
    def sitemaps(self) -> list[SitemapEntry]:
        """The other sitemaps that it names."""
        return self.entries if self.kind == "index" else []


def parse_sitemap(data: bytes, url: str = "") -> Sitemap:
    """Return what a sitemap names; nothing if it is none, or cannot be decompressed.

    `url` is where it was found; relative addresses need it.
    """
    try:
        sitemap = read_sitemap(data)
    except ContentCodingError:
        sitemap = None
    if sitemap is None:
        return Sitemap("")
    resolved = ((resolve_url(url, entry.url), entry) for entry in sitemap.entries)
    sitemap.entries = [entry._replace(url=address) for address, entry in resolved if address]
    return sitemap


def read_sitemap(
    body: bytes, *, content_type: str = "", content_encoding: str = ""
) -> Sitemap | None:
    """Return what a sitemap names; None for anything else. Raises `ContentCodingError`.

    1. Decompress. 2. Decode. 3. Detect the dialect. 4. Read it to its end or to its limits.
    """
    source = _Source(_uncompressed(body, content_encoding), content_type)
    head = ""
    for text in source:
        head += text
        if len(head) >= _HEAD_CHARACTERS:
            break
    kind, prefix = _kind_of(head)
    if not kind:
        return None
    texts = chain((head,), source)
    if kind == "text":
        entries = _entries_of_lines(texts)
    elif kind == "feed":
        entries = _entries_of_feed(_without_comments(texts))
    else:
        entries = _entries_of_xml(_without_comments(texts), prefix)
    sitemap = Sitemap(kind)
    for entry in entries:
        if len(sitemap.entries) == MOST_URLS:
            sitemap.truncated = True
            break
        sitemap.entries.append(entry)
    sitemap.truncated |= source.is_cut
    return sitemap


def _uncompressed(body: bytes, content_encoding: str) -> Iterator[bytes]:
    """Undo the content coding of the server, then the compression of the file: `.xml.gz`."""
    coding = content_encoding.strip().lower()
    if coding not in ("", "identity", "gzip", "x-gzip"):
        body, _ = decode_content(body, content_encoding, LARGEST_BYTES)
    pieces = pieces_of(body)
    for _ in range(2):
        first = next(pieces, b"")
        pieces = chain((first,), pieces)
        if not first.startswith(_GZIP):
            break
        pieces = gunzip_pieces(pieces)
    return pieces


class _Source:
    """The text of a sitemap in pieces, up to the bytes that it may have."""

    def __init__(self, pieces: Iterator[bytes], content_type: str) -> None:
        self._pieces = pieces
        self._content_type = content_type
        self._left = LARGEST_BYTES
        self._decoder: webencodings.IncrementalDecoder | None = None
        self.is_cut = False

    def __iter__(self) -> Iterator[str]:
        for piece in self._pieces:
            if self._decoder is None:
                name = _encoding_of(piece[:1024], self._content_type)
                self._decoder = webencodings.IncrementalDecoder(name, "replace")
            if len(piece) > self._left:
                self.is_cut = True
                piece = piece[: self._left]  # noqa: PLW2901
            self._left -= len(piece)
            yield self._decoder.decode(piece)
            if self.is_cut:
                return


def _encoding_of(head: bytes, content_type: str) -> str:
    """Return the declared encoding of a file; a byte order mark has precedence anyway."""
    if head[:2] in (b"<\0", b"\0<"):
        return "utf-16le" if head[:1] == b"<" else "utf-16be"
    own, told = _LABEL.search(head), _CHARSET.search(content_type)
    label = own[1].decode() if own else told[1] if told else ""
    encoding = webencodings.lookup(label)
    # A declaration that could be read byte by byte is not in UTF-16, whatever it says.
    is_possible = encoding is not None and not encoding.name.startswith("utf-16")
    return encoding.name if encoding is not None and is_possible else "utf-8"


def _kind_of(head: str) -> tuple[str, str]:
    """Return which dialect a file is in, or "", and the prefix that its elements have."""
    bare = "".join(_without_comments((head,)))
    found = _ROOT.search(bare) or _BARE.search(bare)
    if found is not None:
        return _KINDS.get(found[2].lower(), ""), found[1] or ""
    first = next((line for line in head.lstrip("\ufeff").splitlines() if line.strip()), "")
    return ("text", "") if _LINE.fullmatch(first) else ("", "")


def _without_comments(texts: Iterable[str]) -> Iterator[str]:
    """Remove comments, even those that span several pieces."""
    rest, is_inside = "", False
    for text in texts:
        rest += text
        # The text is not cut at each mark: a piece may consist of comments.
        start = 0
        while (at := rest.find(_COMMENT_CLOSES if is_inside else _COMMENT_OPENS, start)) >= 0:
            if not is_inside:
                yield rest[start:at]
            start = at + (3 if is_inside else 4)
            is_inside = not is_inside
        end = max(len(rest) - 3, start)  # a mark may be cut in two
        if not is_inside:
            yield rest[start:end]
        rest = rest[end:]
    if not is_inside:
        yield rest


def _tokens(texts: Iterable[str], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Find a pattern in a stream; what follows the last match is looked at again with more."""
    rest = ""
    for text in texts:
        rest += text
        end = 0
        for found in pattern.finditer(rest):
            yield found
            end = found.end()
        rest = rest[max(end, len(rest) - _MOST_UNREAD) :]


def _entries_of_xml(texts: Iterable[str], prefix: str) -> Iterator[SitemapEntry]:
    """Read `<url>` or `<sitemap>` elements; `<image:loc>` and the like are not ours."""
    names = f"<{re.escape(prefix)}(?:(url|sitemap)|(loc|lastmod|changefreq|priority))"
    pattern = re.compile(rf"{names}{_ATTRIBUTES}>{_TEXT}", re.DOTALL)
    facts: dict[str, str] = {}
    for found in _tokens(texts, pattern):
        opens, name, _, text = found.groups()
        if opens or (name == "loc" and "loc" in facts):
            yield from _entry_of(facts)
            facts = {"loc": text} if opens and text.strip() else {}
        if name:
            facts.setdefault(name, text)
    yield from _entry_of(facts)


def _entries_of_feed(texts: Iterable[str]) -> Iterator[SitemapEntry]:
    """Read the items of RSS, or the entries of Atom."""
    names = "<(?:(item|entry)|(link|guid|pubDate|updated|published|dc:date))"
    pattern = re.compile(rf"{names}{_ATTRIBUTES}/?>{_TEXT}", re.DOTALL)
    facts: dict[str, str] | None = None
    for found in _tokens(texts, pattern):
        opens, name, attributes, text = found.groups()
        if opens:
            yield from _entry_of(facts or {})
            facts = {}
        if facts is None or not name:  # it belongs to the feed itself
            continue
        if name == "link":
            relation, target = _REL.search(attributes or ""), _HREF.search(attributes or "")
            if relation is None or relation[1] == "alternate":
                facts.setdefault("loc", target[1] if target else text)
        elif name != "guid":
            facts.setdefault("lastmod", text)
        elif _LINE.fullmatch(text):  # some feeds have the address here and no link
            facts.setdefault("guid", text)
    yield from _entry_of(facts or {})


def _entries_of_lines(texts: Iterable[str]) -> Iterator[SitemapEntry]:
    rest = ""
    for text in texts:
        *lines, rest = (rest + text).lstrip("\ufeff").split("\n")
        rest = rest[:_MOST_UNREAD]
        for line in lines:
            yield from _entry_of_line(line)
    yield from _entry_of_line(rest)


def _entry_of_line(line: str) -> Iterator[SitemapEntry]:
    found = _LINE.fullmatch(line[: _LONGEST_URL + 100])
    if found is not None and len(found[1]) <= _LONGEST_URL:
        yield SitemapEntry(found[1])


def _entry_of(facts: dict[str, str]) -> Iterator[SitemapEntry]:
    """Yield the entry that some elements make, if they name a URL."""
    url = _plain(facts.get("loc") or facts.get("guid", ""))
    if not url or len(url) > _LONGEST_URL:
        return
    frequency = (_plain(facts.get("changefreq", "")) or "").lower()
    yield SitemapEntry(
        url,
        parse_moment(_plain(facts.get("lastmod", "")) or ""),
        frequency if frequency in FREQUENCIES else "",
        _parse_priority(_plain(facts.get("priority", "")) or ""),
    )


def _plain(text: str) -> str | None:
    """Return the text of an element; None if it has entities of its own, or an open end."""
    if "&" not in text and "<" not in text:
        return text.strip()
    parts = _CDATA.split(text)  # outside, inside, outside, ...
    for at in range(0, len(parts), 2):
        if any(not any(found.groups()) for found in _REFERENCE.finditer(parts[at])):
            return None
        parts[at] = _REFERENCE.sub(_character_of, parts[at])
    plain = "".join(parts).strip()
    return None if "<" in plain else plain


def _character_of(found: re.Match[str]) -> str:
    name, decimal, hexadecimal = found.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else "\ufffd"


def parse_moment(text: str) -> float | None:
    """Return a date of the W3C's kinds, or of mails and feeds, in seconds since 1970."""
    moment = None
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(text)
    if moment is None and (part := _DAY.fullmatch(text)):
        with suppress(ValueError):
            moment = datetime(int(part[1]), int(part[2] or 1), 1, tzinfo=UTC)
    if moment is None:
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            moment = parsedate_to_datetime(text)
    if moment is None or not 1970 < moment.year < 2200:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _parse_priority(text: str) -> float | None:
    with suppress(ValueError):
        number = float(text)
        return number if 0.0 <= number <= 1.0 else None
    return None
