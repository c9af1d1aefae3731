"""What people wrote on a page: the posts of a thread, and the comments of readers."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.extract.threads.found import PageDiscussion
from telusur.models import Post
from telusur.web.frame import urls
from telusur.web.frame.params import read_params
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import clean_line
from telusur.web.page.params import PAGE_POSTS
from telusur.web.page.reader import page_reader_of
from telusur.web.page.tabs import read_head, view_steps
from telusur.web.search.feeds import base_of

_LONGEST_ROW = 4000
_MOST_ROWS = 200


@dataclass(slots=True, frozen=True)
class EntryRecord:
    """A post or a comment: who wrote what, and when."""

    number: int
    # "post" or "comment"
    kind: str
    text: str
    author: str | None
    date: str | None
    link: str | None
    author_url: str | None


async def show_posts(request: Request) -> Response:
    """Show the posts of a thread, and the comments of readers."""
    wanted = read_params(PAGE_POSTS, request.query_params)
    url, page, limit = wanted["url"], wanted["page"], wanted["limit"]
    head, _, _ = await read_head(request, url, urls.PAGE_POSTS)
    found = await run_in_threadpool(page_reader_of(request).discussion, url)
    entries = list(_entries(found)) if found else []
    shown = entries[(page - 1) * limit : page * limit]
    values: dict[str, Any] = {
        **head,
        "has_page": found is not None,
        "found": found or PageDiscussion(),
        "entries": [_view_entry(each) for each in shown],
        "steps": view_steps(urls.PAGE_POSTS, url, page, limit, len(entries)),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_POSTS), url)
    return render_html(request, "page_posts.html", twin, values)


async def posts_json(request: Request) -> Response:
    """Send the posts of a thread, and the comments of readers."""
    wanted = read_params(PAGE_POSTS, request.query_params)
    url, page, limit = wanted["url"], wanted["page"], wanted["limit"]
    found = await run_in_threadpool(page_reader_of(request).discussion, url)
    if found is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    entries = list(_entries(found))
    road = urls.twin_of(urls.PAGE_POSTS)
    next_url = view_steps(road, url, page, limit, len(entries)).next_url
    return JSONAnswer(
        {"ok": True, "url": url, "page_type": found.page_type, "posts": len(found.posts),
         "comments": len(found.comments), "total": len(entries),
         "entries": [asdict(each) for each in entries[(page - 1) * limit : page * limit]],
         "next_url": base_of(request) + next_url if next_url else None}
    )  # fmt: skip


def _entries(found: PageDiscussion) -> Iterator[EntryRecord]:
    """Yield the posts, then the comments, each kind numbered from one."""
    kinds: tuple[tuple[str, tuple[Post, ...]], ...] = (
        ("post", found.posts), ("comment", found.comments),
    )  # fmt: skip
    for kind, posts in kinds:
        for number, post in enumerate(posts, start=1):
            yield EntryRecord(number, kind, **post._asdict())


def _view_entry(entry: EntryRecord) -> dict[str, Any]:
    rows = entry.text.split("\n")[:_MOST_ROWS]
    return {
        "number": entry.number,
        "kind": entry.kind,
        "author": clean_line(entry.author or "", 120),
        "author_url": urls.live_href(entry.author_url or ""),
        "date": clean_line(entry.date or "", 40),
        "link": urls.live_href(entry.link or ""),
        "rows": [text for row in rows if (text := clean_line(row, _LONGEST_ROW))],
    }
