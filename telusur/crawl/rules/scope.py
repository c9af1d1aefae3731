"""Which links a crawl may follow: near enough to a start URL, included, and parseable."""

import re
from collections.abc import Iterable
from copy import copy

from telusur.crawl.rules.content_types import ContentTypes
from telusur.crawl.urls.identity import parse_url, site_of
from telusur.errors import UsageError
from telusur.models import Reason
from telusur.settings import CrawlSettings

_EXTENSIONS = """
    avif bmp gif heic ico jfif jpe jpeg jpg png psd svg svgz tif tiff webp
    7z apk bz2 cab deb dmg exe gz img iso jar msi pkg rar rpm tar tbz tgz txz war xz zip zst
    doc docm docx epub key mobi odp ods odt pdf pot ppt pps pptx ps rtf xls xlsm xlsx
    3gp aac aif aiff avi flac flv m3u m3u8 m4a m4v mid mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus
    swf wav weba webm wma wmv
    css js map mjs wasm eot otf ttf woff woff2
    bin class dll dylib o pyc so sqlite torrent
"""
SKIPPED_EXTENSIONS = frozenset(_EXTENSIONS.split())
_LONGEST_EXTENSION = 8


class Scope:
    """Judges links by the start URLs and the settings of a crawl; cheap with any number of both."""

    def __init__(self, start_urls: Iterable[str], settings: CrawlSettings) -> None:
        self._start_urls = {_parse_start(url) for url in start_urls}
        # How often its limits were changed; decisions of an older version are made again.
        self.number = 0
        self._changed: frozenset[str] = frozenset()
        self._depth: int | None = None
        self._kind = ""
        self._places: set[str] = set()
        self._set_limits(settings.depth, settings.scope)
        wanted = ContentTypes(settings.content_type).extensions()
        skipped = (SKIPPED_EXTENSIONS - wanted).union(map(_bare, settings.skip_extension))
        self._skipped_extensions = skipped.difference(map(_bare, settings.follow_extension))
        self._include = [_compile("include", pattern) for pattern in settings.include]
        self._exclude = [_compile("exclude", pattern) for pattern in settings.exclude]
        self._authorities = {_authority_of(url) for url in self._start_urls}

    def _set_limits(self, depth: int | None, kind: str) -> None:
        self._depth, self._kind = depth, kind
        self._places = {place for url in self._start_urls for place in _places_around(url, kind)}

    def with_limits(self, depth: int | None, kind: str) -> "Scope":
        """Return a scope with these limits; this one, if it already has them."""
        is_other = {"depth": depth != self._depth, "scope": kind != self._kind}
        if not any(is_other.values()):
            return self
        other = copy(self)
        other._set_limits(depth, kind)
        other.number += 1
        other._changed |= {name for name, differs in is_other.items() if differs}
        return other

    def judge(self, url: str, depth: int) -> str | None:
        """Return why a parsed URL at `depth` may not be followed; None if it may.

        Reasons that no larger limit could lift come first, depth last.
        """
        if url in self._start_urls:
            return None
        if reason := self._elsewhere(url):
            return reason
        if reason := self._unwanted(url):
            return reason
        extension = extension_of(url)
        if extension in self._skipped_extensions:
            return f"{Reason.CONTENT_TYPE}: .{extension}"
        return str(Reason.DEPTH) if self.is_too_deep(url, depth) else None

    def objection(self, url: str, depth: int) -> str | None:
        """Return why a waiting URL may no longer be fetched; None if it may.

        Only changed limits count, because waiting URLs may come from a crawl with other start URLs.
        """
        reason = None
        if "scope" in self._changed and self._places and url not in self._start_urls:
            reason = self._elsewhere(url)
        is_too_deep = "depth" in self._changed and self.is_too_deep(url, depth)
        return reason or (str(Reason.DEPTH) if is_too_deep else None)

    def is_too_deep(self, url: str, depth: int) -> bool:
        """Tell whether the depth limit alone keeps a URL out; a start URL is never too deep."""
        return self._depth is not None and depth > self._depth and url not in self._start_urls

    @property
    def has_depth_limit(self) -> bool:
        """Tell whether it matters how far a page is from a start URL."""
        return self._depth is not None

    def judge_sitemap(self, url: str) -> str | None:
        """Return why a sitemap may not be read: its host is out of scope, or it is excluded.

        Include patterns and the start directory are checked for the pages it lists, not for the
        sitemap.
        """
        if not self.covers_host_of(url):
            kind = "site" if self._kind == "site" else "host"
            return f"{Reason.SCOPE}: {_ELSEWHERE[kind]}"
        return self._excluded(url)

    def covers_host_of(self, url: str) -> bool:
        """Tell whether the host of this URL is in scope, whatever else is set."""
        if self._kind == "site":
            return self._is_near(url)
        return self._kind == "any" or _authority_of(url) in self._authorities

    def _elsewhere(self, url: str) -> str | None:
        is_near = self._kind == "any" or self._is_near(url)
        return None if is_near else f"{Reason.SCOPE}: {_ELSEWHERE[self._kind]}"

    def _is_near(self, url: str) -> bool:
        if self._kind == "site":
            return site_of(url) in self._places
        if self._kind == "host":
            return _authority_of(url) in self._places
        return any(directory in self._places for directory in _directories_above(url))

    def _unwanted(self, url: str) -> str | None:
        if reason := self._excluded(url):
            return reason
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return f"{Reason.EXCLUDED}: no include pattern matches"
        return None

    def _excluded(self, url: str) -> str | None:
        for pattern in self._exclude:
            if pattern.search(url):
                return f"{Reason.EXCLUDED}: pattern {pattern.pattern}"
        return None


_ELSEWHERE = {
    "site": "other site",
    "host": "other host",
    "prefix": "outside the start URL's directory",
}


def _parse_start(url: str) -> str:
    parsed = parse_url(url)
    if parsed is None:
        raise UsageError(f"{url!r} is not a URL that can be fetched; try http://example.com/.")
    return parsed


def _bare(extension: str) -> str:
    """Return `pdf` for `.PDF`."""
    return extension.lower().removeprefix(".")


def _compile(setting: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(
            f"--{setting}: {pattern!r} is not a regular expression: {error}."
        ) from None


def _places_around(url: str, kind: str) -> list[str]:
    if kind == "site":
        return [site_of(url)]
    if kind == "host":
        return [_authority_of(url)]
    return _directories_above(url)[-1:] if kind == "prefix" else []


def _authority_of(url: str) -> str:
    """Return name and port: a site that moves from http to https stays the same host."""
    return url.split("/", 3)[2]


def _directories_above(url: str) -> list[str]:
    """Return the parent directories of a URL, outermost first: `a.example/`, `a.example/b/`."""
    path = url.partition("?")[0].partition("://")[2]
    return [path[: slash + 1] for slash, character in enumerate(path) if character == "/"]


def extension_of(url: str) -> str:
    """Return the extension of a URL's last path segment in lower case; empty if it has none."""
    name = url.partition("?")[0].split("/", 3)[-1].rpartition("/")[2]
    # `File:Lighthouse.jpg` is a wiki page about an image, not the image.
    if "." not in name or ":" in name:
        return ""
    extension = name.rpartition(".")[2].lower()
    return extension if len(extension) <= _LONGEST_EXTENSION else ""
