"""The sites of the demo web: how each is built, in the order the list of sites shows them."""

from collections.abc import Callable, Iterable, Mapping

from telusur.demo.records import Truth
from telusur.demo.site import Site
from telusur.demo.sites import (
    blog,
    calendar,
    docs,
    encyclopedia,
    forum,
    museum,
    news,
    shop,
)
from telusur.demo.truth import truth_lines

BUILDERS: dict[str, tuple[str, Callable[[Site], None]]] = {
    "news": ("en", news.build),
    "forum": ("en", forum.build),
    "docs": ("en", docs.build),
    "blog": ("id", blog.build),
    "ansiklopedi": ("tr", encyclopedia.build),
    "lexikon": ("de", encyclopedia.build),
    "shop": ("en", shop.build),
    "calendar": ("en", calendar.build),
    "museum": ("en", museum.build),
}


def build_index(site: Site, origins: Mapping[str, str], truth: Iterable[Truth]) -> None:
    """Build the list of sites, which also serves the truth about all of them."""
    site.file(
        "/",
        site.render("index.html", title="A web in a box", origins=origins),
        "text/html; charset=utf-8",
    )
    site.file("/truth.jsonl", truth_lines(truth), "application/json; charset=utf-8")
    site.file("/robots.txt", "User-agent: *\nAllow: /\n", "text/plain; charset=utf-8")
