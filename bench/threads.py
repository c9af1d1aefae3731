"""How well posts of threads and comments of readers are found.

Usage: python bench/threads.py DATA_DIR [--half 0|1] [--most 100] [--errors]

DATA_DIR/extraction has three sets: `harvest` (forum threads; `posts`: text, user, date and link of
each), `dragnet` (articles; `comments`: a text) and `trafilatura` (articles; `comment_snippets`).
Rules are written looking at half 0 only; sites are divided by a hash of their name.

A post is found if one of ours has at least 80 % of its words, and it 80 % of ours. Users are equal
if name or address are; dates if the day is. Of comments, `found` is the share of their words that
are in our comments, `clean` the share of the words of our comments that are in theirs.
"""

import argparse
import json
import lzma
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import telusur
from bench.metadata import half_of
from telusur.extract.facts.dates import parse_date
from telusur.extract.facts.publication_date import is_month_first
from telusur.models import Post

Page = dict[str, Any]
_ALIKE = 0.8
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Score:
    """Counts of one set."""

    pages: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def share(self, part: str, whole: str) -> str:
        """Return a share as text."""
        return f"{self.counts[part] / max(1, self.counts[whole]):.3f}"


def read_pages(data: Path, name: str, key: str, half: int | None, most: int) -> Iterator[Page]:
    """Yield up to `most` pages of a set that have a truth, drawn at random."""
    with lzma.open(data / "extraction" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        pages = [page for page in map(json.loads, lines) if page.get(key)]
    pages = [page for page in pages if half is None or half_of(page["site"] or "") == half]
    random.Random(1).shuffle(pages)
    yield from pages[:most]


def words_of(text: str) -> Counter[str]:
    """Return the words of a text."""
    return Counter(_WORD.findall(text.lower()))


def is_alike(one: Counter[str], other: Counter[str]) -> bool:
    """Tell whether two texts have most of their words in common."""
    common = (one & other).total()
    return common >= _ALIKE * one.total() and common >= _ALIKE * other.total()


def judge_posts(page: Page, posts: Sequence[Post], score: Score) -> list[str]:
    """Compare the posts of a thread with ours; return what is wrong."""
    left = [(words_of(post.text), post) for post in posts]
    base = page["url"]
    month_first = is_month_first(page["language"] or "", base)
    wrong = []
    score.counts["ours"] += len(posts)
    for truth in page["posts"]:
        score.counts["posts"] += 1
        words = words_of(truth["text"])
        match = next((pair for pair in left if is_alike(words, pair[0])), None)
        if match is None:
            wrong.append(f"post: {truth['text'][:80]!r}")
            continue
        left.remove(match)
        score.counts["found"] += 1
        post = match[1]
        score.counts["users"] += bool(truth["user"])
        if truth["user"] and has_user(truth["user"], post):
            score.counts["users found"] += 1
        elif truth["user"]:
            wrong.append(f"user: {truth['user']} not {post.author} {post.author_url}")
        day = parse_date(truth["date"] or "", month_first=month_first)
        score.counts["dates"] += bool(day)
        if day and (post.date or "")[:10] == day:
            score.counts["dates found"] += 1
        elif day:
            wrong.append(f"date: {truth['date']} not {post.date}")
    return wrong


def has_user(user: str, post: Post) -> bool:
    """Tell whether a post names its author by name or address."""
    if user == post.author:
        return True
    # The truth has some addresses relative to another base.
    end = unquote(user).partition("#")[0].lstrip("./").split("sid=")[0].split("s=")[0]
    return bool(post.author_url) and end in unquote(post.author_url)


def judge_comments(truth: str, comments: Sequence[Post], score: Score) -> None:
    """Compare comments as words."""
    theirs = words_of(truth)
    ours: Counter[str] = Counter()
    for comment in comments:
        ours += words_of(f"{comment.text} {comment.author or ''}")
    common = (theirs & ours).total()
    score.counts["theirs"] += theirs.total()
    score.counts["ours"] += ours.total()
    score.counts["common"] += common
    score.counts["pages found"] += common >= theirs.total() / 2
    score.counts["comments"] += len(comments)
    score.counts["authors"] += sum(bool(each.author) for each in comments)
    score.counts["dates"] += sum(bool(each.date) for each in comments)


def judge_snippets(page: Page, document: telusur.Document, score: Score) -> None:
    """Count the snippets of comments that are in our comments, and in our text."""
    said = " ".join(" ".join(each.text for each in document.comments).split())
    text = " ".join(document.text.split())
    for snippet in filter(None, page["comment_snippets"]):
        plain = " ".join(snippet.split())
        score.counts["snippets"] += 1
        score.counts["in comments"] += plain in said
        score.counts["in text"] += plain in text


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    for name, key in (
        ("harvest", "posts"), ("dragnet", "comments"), ("trafilatura", "comment_snippets")
    ):  # fmt: skip
        score = Score()
        for page in read_pages(options.data, name, key, options.half, options.most):
            document = telusur.extract(page["html"], page["url"] or "")
            score.pages += 1
            started = time.process_time()
            found = document.posts if key == "posts" else document.comments
            found = list(found)
            score.seconds += time.process_time() - started
            wrong = []
            if key == "posts":
                wrong = judge_posts(page, found, score)
            elif key == "comments":
                judge_comments(page["comments"], found, score)
            else:
                judge_snippets(page, document, score)
            if options.errors and wrong:
                print(f"{page['url']}: {len(found)} posts", *wrong[:4], sep="\n  ")
        tell(name, score)


def tell(name: str, score: Score) -> None:
    """Print the shares of a set."""
    shares = {
        "harvest": (
            ("posts found", "found", "posts"), ("ours right", "found", "ours"),
            ("users", "users found", "users"), ("dates", "dates found", "dates"),
        ),
        "dragnet": (
            ("found", "common", "theirs"), ("clean", "common", "ours"),
            ("with author", "authors", "comments"), ("with date", "dates", "comments"),
        ),
        "trafilatura": (("found", "in comments", "snippets"), ("in text", "in text", "snippets")),
    }[name]  # fmt: skip
    told = ", ".join(f"{label} {score.share(part, whole)}" for label, part, whole in shares)
    pages = f", pages found {score.counts['pages found']}" if name == "dragnet" else ""
    cost = 1000 * score.seconds / max(1, score.pages)
    print(f"{name}: {score.pages} pages, {told}{pages}, {cost:.1f} ms a page")


if __name__ == "__main__":
    main()
