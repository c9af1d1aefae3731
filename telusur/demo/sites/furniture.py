"""What every site has: its style sheet, its page for dead links, its robots.txt."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from telusur.demo.records import SiteEntry
from telusur.demo.site import Site

T = TypeVar("T")

TEXT = "text/plain; charset=utf-8"
XML = "application/xml"


def furnish(site: Site, missing_title: str, missing_text: str, robots: str) -> None:
    """Give a new site its style sheet, its answer to dead links and its robots.txt."""
    body = site.render("missing.html", title=missing_title, text=missing_text)
    site.missing = SiteEntry(body.encode(), status=404)
    site.static("style.css", "text/css; charset=utf-8")
    site.file("/robots.txt", robots.replace("{origin}", site.url("")), TEXT)


def neighbours(items: Sequence[T], position: int, count: int) -> list[T]:
    """Return the items that follow a position, starting over at the end."""
    return [items[(position + step) % len(items)] for step in range(1, count + 1)]


def unique(items: Iterable[str]) -> list[str]:
    """Return the items without repetitions, in their first order."""
    return list(dict.fromkeys(items))
