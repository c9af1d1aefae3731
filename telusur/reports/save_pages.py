"""Saves stored pages as files that link to each other, for reading offline."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from telusur.crawl.urls.filenames import file_name_of
from telusur.crawl.urls.identity import host_of, normalize_url
from telusur.errors import UsageError
from telusur.extract.writing.escaping import escape
from telusur.machine.disk import disk_errors
from telusur.models import Reason, State

START = "index.html"


class ChosenPage(NamedTuple):
    """A chosen page of the collection, and its title."""

    url: str
    title: str


# Takes a URL; returns the stored page and its Content-Type, or None.
HtmlOf = Callable[[str], tuple[bytes | str, str] | None]


_COPIES = (Reason.DUPLICATE, Reason.CANONICAL, Reason.SOFT_404)


def is_worth_keeping(record: dict[str, Any], with_copies: bool = False) -> bool:
    """Tell whether a fetched page has content that no other page has."""
    reason = str(record["reason"])
    is_answer = record["state"] == State.DONE and 200 <= (record["status"] or 0) < 300
    # A page with status 200 may redirect by `meta refresh`.
    if not is_answer or reason.startswith(Reason.REDIRECT):
        return False
    return with_copies or not reason.startswith(_COPIES)


def save_pages(chosen: Sequence[ChosenPage], html_of: HtmlOf, directory: Path, name: str) -> int:
    """Write each page to a file, and an index page; return the number of pages."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UsageError(f"{directory}: the directory is not empty; name a new or empty one.")
    files = {
        normalize_url(page.url) or page.url: f"{file_name_of(page.url)}.html" for page in chosen
    }
    saved = []
    with disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for page in chosen:
            stored = html_of(page.url)
            if stored is not None:
                _save(page.url, *stored, files, directory)
                saved.append(page)
        (directory / START).write_text(_start_page(saved, name), encoding="utf-8")
    return len(saved)


def _save(
    url: str, html: bytes | str, content_type: str, files: dict[str, str], directory: Path
) -> None:
    from telusur.extract.writing.offline import offline_page

    name = f"{file_name_of(url)}.html"
    up = "../" * name.count("/")

    def file_of(target: str) -> str | None:
        file = files.get(normalize_url(target) or "")
        return up + file if file is not None else None

    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    written = offline_page(html, url, file_of, content_type=content_type)
    path.write_text(written, encoding="utf-8", errors="replace")


def _start_page(pages: Iterable[ChosenPage], name: str) -> str:
    """Return a list of all pages, by host."""
    parts = []
    for host, group in groupby(sorted(pages, key=lambda page: page.url), _host):
        parts.append(f"<h2>{escape(host)}</h2>\n<ul>")
        for page in group:
            title = escape(page.title or page.url)
            parts.append(f'<li><a href="{file_name_of(page.url)}.html">{title}</a></li>')
        parts.append("</ul>")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">',
            f"<title>{escape(name)}</title>\n</head>\n<body>\n<h1>{escape(name)}</h1>",
            *parts,
            "</body>\n</html>\n",
        ]
    )


def _host(page: ChosenPage) -> str:
    return host_of(page.url).partition("://")[2]
