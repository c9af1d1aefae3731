"""What a person names to be read: files, URLs, and `-` for standard input."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from telusur.cli.config import Config
from telusur.cli.output import printable, say
from telusur.crawl.urls import guess_url, parse_url
from telusur.errors import UsageError
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.plain import as_page
from telusur.models import Page
from telusur.run.parsing import looks_binary
from telusur.settings import CrawlSettings

_PLAIN_ENDINGS = (".txt", ".text", ".md")


@dataclass(slots=True, frozen=True)
class Source:
    """A page to be read: its HTML, where it came from, and how it calls itself."""

    name: str
    html: bytes | str
    url: str = ""
    content_type: str = ""


class _Unreadable(Exception):  # noqa: N818 - told, not raised further
    """Why there is nothing to read."""


def read_sources(names: Sequence[str], url: str, flags: dict[str, Any]) -> Iterator[Source]:
    """Yield the pages named; those that cannot be read are told about, and the others go on.

    A single file that cannot be read is wrong use. `url` is the address of what has none itself.
    """
    address = _checked(url)
    for name in names:
        try:
            yield _read(name, address, flags)
        except _Unreadable as reason:
            say(f"{printable(name)}: {reason}")
        except OSError as error:
            if len(names) == 1:
                raise UsageError(f"{name} cannot be read: {error.strerror}.") from None
            say(f"{printable(name)}: cannot be read: {error.strerror}.")


def _checked(url: str) -> str:
    address = parse_url(url) if url else ""
    if address is None:
        raise UsageError(f"--url: {url!r} is not a web address.")
    return address


def _read(name: str, url: str, flags: dict[str, Any]) -> Source:
    if name == "-":
        return _source(name, sys.stdin.buffer.read(), url, "")
    if (address := _address(name)) is not None:
        return _fetch(name, address, flags)
    is_plain = name.lower().endswith(_PLAIN_ENDINGS)
    return _source(name, Path(name).read_bytes(), url, "text/plain" if is_plain else "")


def _address(name: str) -> str | None:
    """Return the URL that is meant, or None for a file."""
    if name.lower().startswith(("http://", "https://")):
        address = parse_url(name)
        if address is None:
            raise UsageError(f"{name!r} is not a web address.")
        return address
    return None if Path(name).exists() else guess_url(name)


def _fetch(name: str, url: str, flags: dict[str, Any]) -> Source:
    from telusur.run.one_page import fetch_page  # the machinery of a crawl; files need none

    settings = Config(Path.cwd(), os.environ).settings(CrawlSettings, "crawl", flags)
    page = fetch_page(url, settings)
    if page.status is None or not 200 <= page.status < 300:
        raise _Unreadable(_why(page))
    try:
        coding = page.header("content-encoding")
        body, _ = decode_content(page.body, coding, settings.max_bytes)
    except ContentCodingError as error:
        raise _Unreadable(str(error)) from None
    return _source(name, body, page.url, page.header("content-type"))


def _why(page: Page) -> str:
    if page.status is not None:
        return f"the server answered {page.status}."
    advice = "; add --allow-private if you mean it" if "private address" in page.reason else ""
    return f"not fetched ({printable(page.reason)}){advice}."


def _source(name: str, body: bytes, url: str, content_type: str) -> Source:
    if looks_binary(body, content_type):
        raise _Unreadable("this is no text but binary data.")
    return Source(name, as_page(body, content_type), url, content_type)
