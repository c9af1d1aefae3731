"""The pages named on the command line: files, URLs, and `-` for standard input."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telusur.cli.config import Config
from telusur.cli.output import printable, say
from telusur.crawl.urls.identity import check_userinfo, guess_url, parse_url
from telusur.errors import UsageError
from telusur.extract.page.binary import looks_binary
from telusur.extract.page.plain import as_page
from telusur.extract.style.page_sheets import Sheets
from telusur.models import Block
from telusur.settings import CrawlSettings

if TYPE_CHECKING:
    from telusur.pipeline.one_page import OnePage

_PLAIN_ENDINGS = (".txt", ".text", ".md")


@dataclass(slots=True, frozen=True)
class Source:
    """A page to read: its HTML, its origin, and its name."""

    name: str
    html: bytes | str
    url: str = ""
    content_type: str = ""
    # The blocks seen by a browser, if it rendered the page and blocks were asked for.
    blocks: Sequence[Block] = ()
    # The style sheets that came with a URL.
    sheets: Sheets | None = None


class _Unreadable(Exception):  # noqa: N818 - reported, not raised further
    """Why there is nothing to read."""


def read_sources(
    names: Sequence[str], url: str, flags: dict[str, Any], *, blocks: bool = False
) -> Iterator[Source]:
    """Yield the named pages; report those that cannot be read and go on with the others.

    A single file that cannot be read is a usage error. `url` is the address of a file or standard
    input; `flags` are settings of a crawl. With `blocks`, rendered pages have the blocks that the
    browser saw.
    """
    address = _checked(url)
    for name in names:
        try:
            yield _read(name, address, flags, blocks=blocks)
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


def _read(name: str, url: str, flags: dict[str, Any], *, blocks: bool) -> Source:
    if name != "-" and (address := _address(name)) is not None:
        return _get(name, address, flags, blocks=blocks)
    body, kind = _bytes_of(name), _type_of(name)
    if flags.get("render") in ("auto", "always"):  # a file only on request
        return _draw(name, body, url, kind, flags, blocks=blocks)
    return _source(name, body, url, kind)


def _get(name: str, url: str, flags: dict[str, Any], *, blocks: bool) -> Source:
    from telusur.pipeline.one_page import get_page  # the machinery of a crawl; files need none

    return _of_page(name, get_page(url, _settings(flags), blocks=blocks, sheets=True))


def _draw(
    name: str, body: bytes, url: str, kind: str, flags: dict[str, Any], *, blocks: bool
) -> Source:
    from telusur.pipeline.one_page import OnePage, draw_page

    return _of_page(name, draw_page(OnePage(url, body, kind), _settings(flags), blocks=blocks))


def _of_page(name: str, page: "OnePage") -> Source:
    if page.reason:
        raise _Unreadable(printable(page.reason))
    if page.not_drawn:
        say(f"{printable(name)}: not loaded in a browser: {printable(page.not_drawn)}.")
    source = _source(name, page.body, page.url, page.content_type)
    return replace(source, blocks=page.blocks, sheets=page.sheets)


def _settings(flags: dict[str, Any]) -> CrawlSettings:
    return Config(Path.cwd(), os.environ).settings(CrawlSettings, "crawl", flags)


def _source(name: str, body: bytes, url: str, content_type: str) -> Source:
    if looks_binary(body, content_type):
        raise _Unreadable("this is binary data, not text.")
    return Source(name, as_page(body, content_type), url, content_type)


def _address(name: str) -> str | None:
    """Return the URL, or None if the name is a file."""
    if name.lower().startswith(("http://", "https://")):
        check_userinfo(name)
        address = parse_url(name)
        if address is None:
            raise UsageError(f"{name!r} is not a web address.")
        return address
    return None if Path(name).exists() else guess_url(name)


def _bytes_of(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _type_of(name: str) -> str:
    return "text/plain" if name.lower().endswith(_PLAIN_ENDINGS) else ""
