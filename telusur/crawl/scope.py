"""Which links a crawl may follow at all: near enough to a start URL, wanted, and worth a parser."""

import re
from collections.abc import Iterable

from telusur.crawl.urls import parse_url, site_of
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
        self._depth = settings.depth
        skipped = SKIPPED_EXTENSIONS.union(map(_bare, settings.skip_extension))
        self._skipped_extensions = skipped.difference(map(_bare, settings.follow_extension))
        self._include = [_compile("include", pattern) for pattern in settings.include]
        self._exclude = [_compile("exclude", pattern) for pattern in settings.exclude]
        self._kind = settings.scope
        self._authorities = {_authority_of(url) for url in self._start_urls}
        self._places = {
            place for url in self._start_urls for place in _places_around(url, self._kind)
        }

    def judge(self, url: str, depth: int) -> str | None:
        """Return why a parsed URL may not be followed from `depth` links away; None if it may.

        The reason that no larger limit could lift comes first, depth last.
        """
        if url in self._start_urls:
            return None
        if self._kind != "any" and not self._is_near(url):
            return f"{Reason.SCOPE}: {_ELSEWHERE[self._kind]}"
        if reason := self._unwanted(url):
            return reason
        extension = extension_of(url)
        if extension in self._skipped_extensions:
            return f"{Reason.CONTENT_TYPE}: .{extension}"
        return str(Reason.DEPTH) if self.is_too_deep(url, depth) else None

    def is_too_deep(self, url: str, depth: int) -> bool:
        """Tell whether the depth limit alone keeps a URL out; a start URL is never too deep."""
        return self._depth is not None and depth > self._depth and url not in self._start_urls

    @property
    def has_depth_limit(self) -> bool:
        """Tell whether it matters how far a page is from a start URL."""
        return self._depth is not None

    def judge_sitemap(self, url: str) -> str | None:
        """Return why a sitemap may not be read: it lies on a host out of scope, or is excluded.

        What is included, and below which directory, is asked of the pages it names.
        """
        if self._kind == "site" and not self._is_near(url):
            return f"{Reason.SCOPE}: {_ELSEWHERE['site']}"
        if self._kind in ("host", "prefix") and _authority_of(url) not in self._authorities:
            return f"{Reason.SCOPE}: {_ELSEWHERE['host']}"
        return self._excluded(url)

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
    """Return name and port: a site that moves from http to https is still the same host to us."""
    return url.split("/", 3)[2]


def _directories_above(url: str) -> list[str]:
    """Return the directories a URL lies in, the outermost first: `a.example/`, `a.example/b/`."""
    path = url.partition("?")[0].partition("://")[2]
    return [path[: slash + 1] for slash, character in enumerate(path) if character == "/"]


def extension_of(url: str) -> str:
    """Return the extension of a URL's last path segment in lower case; empty if it has none."""
    name = url.partition("?")[0].split("/", 3)[-1].rpartition("/")[2]
    # `File:Lighthouse.jpg` is a wiki's page about a picture, not the picture.
    if "." not in name or ":" in name:
        return ""
    extension = name.rpartition(".")[2].lower()
    return extension if len(extension) <= _LONGEST_EXTENSION else ""
