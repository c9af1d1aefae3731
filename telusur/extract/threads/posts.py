"""The posts of a thread: from the structured data of the page, else from what repeats on it."""

import re
from typing import TYPE_CHECKING

from telusur.extract.facts.json_ld import is_forum
from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.threads.entries import PlacedPost, Reading, read_entries
from telusur.extract.threads.outline import read_outline
from telusur.extract.threads.shapes import find_members, find_signs
from telusur.extract.threads.stated import stated_posts
from telusur.models import Post

_ENOUGH_LETTERS = 30
# The address of a thread, whatever the type of the page.
_ADDRESS = re.compile(
    r"[/._-](?:forum|foren|thread|topic|viewtopic|showthread|discuss|question|posts/.*/show)",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"\W+")

if TYPE_CHECKING:
    from telusur.extract.document import PageReading


def may_be_thread(page_type: str, schema_types: list[str], url: str = "") -> bool:
    """Tell whether a page may have posts: by its type, by its data, or by its address."""
    if page_type == "forum" or is_forum(schema_types):
        return True
    return page_type in ("article", "") and _ADDRESS.search(url[:300]) is not None


def find_entries(reading: "PageReading") -> list[PlacedPost]:
    """Return the posts that a page shows, each with its place."""
    document = reading.document
    outline = read_outline(reading)
    members = find_members(outline, find_signs(outline))
    how = Reading(reading.base, is_month_first(document.language, document.url))
    return read_entries(outline, members, how, has_lead=True)


def find_posts(reading: "PageReading", text: str) -> list[Post]:
    """Return the posts of a page that was read, and whose source is `text`."""
    shown = [entry.post for entry in find_entries(reading)]
    if reading.document.page_type != "forum" and not _are_signed(shown):
        shown = []
    stated = stated_posts(text, reading.base)
    if len(stated) < 2:
        return shown
    return _complete(stated, shown) if len(stated) > len(shown) else _complete(shown, stated)


def _are_signed(posts: list[Post]) -> bool:
    """Tell whether most posts have an author and a date."""
    return 2 * sum(bool(post.author and post.date) for post in posts) > len(posts)


def _complete(posts: list[Post], others: list[Post]) -> list[Post]:
    """Return posts with what only another list of the same posts says about them."""
    known = {_start_of(post): post for post in others}
    completed = []
    for post in posts:
        other = known.get(_start_of(post), post)
        found = (mine or theirs for mine, theirs in zip(post[1:], other[1:], strict=True))
        completed.append(Post(post.text, *found))
    return completed


def _start_of(post: Post) -> str:
    letters = _NO_WORD.sub("", post.text[: 4 * _ENOUGH_LETTERS])
    return letters[:_ENOUGH_LETTERS]
