"""Posts as the structured data of a page state them: a posting and its comments, a question."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import turbohtml

from telusur.extract.facts.json_ld import as_text, is_article, objects_in, types_of
from telusur.extract.page.dom import TagIndex, parse_html
from telusur.extract.page.resolve import resolve_url
from telusur.extract.threads.signs import read_time
from telusur.models import Post

MOST_POSTS = 2_000
_KINDS = ("discussionforumposting", "socialmediaposting", "question", "answer", "comment")
_ANSWERS = ("acceptedAnswer", "suggestedAnswer", "comment", "replies")
_SIGNS = ("DiscussionForumPosting", "SocialMediaPosting", "QAPage", '"Comment"')


def stated_posts(text: str, base: str) -> list[Post]:
    """Return the posts that the JSON-LD of a page lists, first the one that the others answer."""
    if "ld+json" not in text or not any(sign in text for sign in _SIGNS):
        return []
    tags = TagIndex(parse_html(text))
    found: dict[str, Post] = {}
    for item in objects_in(tags):
        for each in _with_answers(item):
            post = _read(each, base)
            if post is not None and len(found) < MOST_POSTS:
                found.setdefault(post.text, post)
    return list(found.values())


def stated_comments(text: str, base: str) -> list[Post]:
    """Return the comments that the JSON-LD of an article lists."""
    if "ld+json" not in text or '"comment"' not in text:
        return []
    tags = TagIndex(parse_html(text))
    posts = (
        _read(each, base)
        for item in objects_in(tags)
        if is_article(types_of(item)) and "comment" in item
        for each in islice(_with_answers(item["comment"]), MOST_POSTS)
    )
    return list({post.text: post for post in posts if post is not None}.values())


def _with_answers(item: Any) -> Iterator[dict[str, Any]]:
    """Yield a posting, its comments, and theirs."""
    waiting = [item]
    seen = 0
    while waiting and seen < MOST_POSTS:
        each = waiting.pop(0)
        seen += 1
        if isinstance(each, list):
            waiting[:0] = each[:MOST_POSTS]
        elif isinstance(each, dict) and any(kind in types_of(each) for kind in _KINDS):
            yield each
            waiting += [each[name] for name in _ANSWERS if name in each]


def _read(item: dict[str, Any], base: str) -> Post | None:
    text = as_text(item.get("articleBody") or item.get("text"))[:200_000]
    if "<" in text or "&" in text:
        text = turbohtml.parse(text).to_text()
    text = "\n".join(filter(None, (" ".join(row.split()) for row in text.split("\n"))))
    if not text:
        return None
    author = item.get("author")
    author = author[0] if isinstance(author, list) and author else author
    person = author if isinstance(author, dict) else {}
    name = as_text(person.get("name")) or (author if isinstance(author, str) else "")
    day = as_text(item.get("datePublished")) or as_text(item.get("dateCreated"))
    link, page = as_text(item.get("url")), as_text(person.get("url"))
    return Post(
        text,
        " ".join(name.split()) or None,
        read_time(day, month_first=None) if day else None,
        resolve_url(base, link) if link else None,
        resolve_url(base, page) if page else None,
    )
