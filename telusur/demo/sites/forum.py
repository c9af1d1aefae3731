"""Workbench: a forum whose threads run over several pages; user pages are closed to robots."""

import re
from dataclasses import dataclass
from math import ceil

from telusur.demo.content import DemoText, read_texts
from telusur.demo.markup import to_plain
from telusur.demo.site import Site
from telusur.demo.sites.furniture import furnish, neighbours, unique

POSTS_ON_A_PAGE = 4
_POST_HEAD = re.compile(r"^@(\w+) (\d{4}-\d\d-\d\d \d\d:\d\d)\n", re.MULTILINE)
_ROBOTS = """User-agent: *
Crawl-delay: 0.1
Disallow: /user/
Disallow: /login
Disallow: /post/
Allow: /post/latest
"""
_CATEGORIES = {
    "garden": "Garden and balcony",
    "kitchen": "Kitchen table",
    "workshop": "Workshop and repair",
    "software": "Computers and Mossbox",
    "outdoors": "Birds, boats and walks",
}


@dataclass(frozen=True, slots=True)
class ForumPost:
    """One contribution to a thread."""

    user: str
    time: str
    body: str


def build(site: Site) -> None:
    """Put all threads, lists and user pages into the forum."""
    furnish(site, "No such thread", "It was moved, merged or never written.", _ROBOTS)
    threads = [(number, text, _posts(text)) for number, text in enumerate(read_texts("forum"), 101)]
    rows = [_row(number, text, posts) for number, text, posts in threads]
    for position, (number, text, posts) in enumerate(threads):
        _show_thread(site, _path(number, text), text, posts, neighbours(rows, position, 3))
    _show_lists(site, rows)
    _show_users(site, [posts for _, _, posts in threads])
    site.redirect("/post/latest", rows[0]["path"], 302, "redirect-302", "robots-allow")
    site.redirect(f"/t/{threads[0][0]}", rows[0]["path"], 301, "redirect-301")
    site.dead("/t/99-moved-to-the-old-board", 404, "dead-404")


def _posts(text: DemoText) -> list[ForumPost]:
    _, *parts = _POST_HEAD.split("\n" + text.body)
    return [
        ForumPost(user, time, body.strip())
        for user, time, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def _path(number: int, text: DemoText) -> str:
    return f"/t/{number}-{text.slug}"


def _row(number: int, text: DemoText, posts: list[ForumPost]) -> dict[str, str]:
    return {
        "path": _path(number, text),
        "title": text.title,
        "user": posts[0].user,
        "time": posts[-1].time,
        "replies": str(len(posts) - 1),
        "category": text.file,
    }


def _show_thread(
    site: Site, path: str, text: DemoText, posts: list[ForumPost], more: list[dict[str, str]]
) -> None:
    last = ceil(len(posts) / POSTS_ON_A_PAGE)
    for number in range(1, last + 1):
        shown = posts[(number - 1) * POSTS_ON_A_PAGE : number * POSTS_ON_A_PAGE]
        truth = site.truth(
            path if number == 1 else f"{path}?page={number}",
            kind="thread",
            title=text.title,
            author=shown[0].user,
            date=shown[0].time[:10],
            topic=text.file,
            text="\n".join(to_plain(post.body) for post in shown),
            shows=("pagination",) if last > 1 else text.list("shows"),
        )
        site.show(
            truth,
            "forum/thread.html",
            posts=shown,
            html=site.html,
            path=path,
            number=number,
            last=last,
            more=more,
            category=_CATEGORIES[text.file],
        )


def _show_lists(site: Site, rows: list[dict[str, str]]) -> None:
    newest = sorted(rows, key=lambda row: row["time"], reverse=True)
    home = site.truth("/", kind="home", title="Workbench forum")
    site.show(home, "forum/list.html", rows=newest[:20], categories=_CATEGORIES)
    for name, title in _CATEGORIES.items():
        chosen = [row for row in newest if row["category"] == name]
        truth = site.truth(f"/c/{name}", kind="list", title=title, topic=name)
        site.show(truth, "forum/list.html", rows=chosen, categories=_CATEGORIES)


def _show_users(site: Site, threads: list[list[ForumPost]]) -> None:
    for user in unique(post.user for posts in threads for post in posts):
        count = sum(post.user == user for posts in threads for post in posts)
        text = f"{user} has written {count} posts on Workbench."
        truth = site.truth(
            f"/user/{user}",
            kind="page",
            title=f"User {user}",
            text=text,
            allowed=False,
            indexed=False,
            shows=("robots-disallow",),
        )
        site.show(truth, "forum/user.html", text=text)
