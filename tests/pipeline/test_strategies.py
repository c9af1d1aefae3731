"""Strategies in real crawls: their order, their memory, the user's own, and what a kill leaves."""

import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse
from contextlib import ExitStack, closing, contextmanager

import pytest

import telusur
from telusur.crawl.strategies.by_name import STRATEGIES
from telusur.errors import UsageError
from tests.sites import Answer, page, serving

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
SUBJECTS = ("coffee beans roasted", "harbour boats sailing", "owls hunting at night")
PAGES = 90
CALM = {"allow_private": True, "delay": 0.0, "index": False, "render": "never", "workers": 1}
ONE_BY_ONE = {**CALM, "per_host": 1, "connections": 1}


def subject(number):
    return SUBJECTS[number % 3]


def web(path):
    """Page n, about one of three subjects, links to six others, most of its own subject."""
    number = int(path.strip("/").split("-")[-1] or 0)
    targets = [(number + 3 * k) % PAGES for k in (1, 2, 5)]
    targets += [(number * 7 + 1) % PAGES, (number * 5 + 2) % PAGES, (number + 31) % PAGES]
    links = "".join(
        f'<p>More about <a href="/{subject(n).split()[0]}-{n}">{subject(n)} {n}</a> here.</p>'
        for n in dict.fromkeys(targets)
    )
    text = f"This page number {number} is about {subject(number)}. " * 8
    return page(f"{subject(number)} {number}", text) + links


@pytest.fixture(scope="module")
def site():
    with serving({"/robots.txt": ""}, otherwise=web) as served:
        yield served


class Held:
    """The web, whose answers from the 30th on never come: nobody is done before he is killed."""

    def __init__(self):
        self._asked = itertools.count(1)
        self.is_over = threading.Event()

    def __call__(self, path):
        if next(self._asked) > 30:
            self.is_over.wait()
        return web(path)


@pytest.fixture
def held():
    answers = Held()
    with serving({"/robots.txt": ""}, otherwise=answers) as served:
        yield served
        answers.is_over.set()


def crawl(directory, site, **settings):
    with telusur.open(directory) as collection:
        collection.crawl([site.url("/harbour-1")], **settings)
        return [row["url"].rsplit("/", 1)[-1] for row in collection.pages()]


def rows(directory, query):
    with closing(sqlite3.connect(directory / "collection.db")) as db:
        return db.execute(query).fetchall()


def memory(directory):
    """Return everything a strategy knows: its state, and scores and notes of what waits."""
    scores = rows(
        directory,
        "SELECT url, round(score, 9), note FROM urls LEFT JOIN notes USING (seq)"
        " WHERE state < 2 ORDER BY url",
    )
    return dict(rows(directory, "SELECT part, value FROM strategy_state")), scores


def test_a_crawl_with_a_topic_goes_where_the_topic_is(tmp_path, site):
    focused = crawl(tmp_path / "a", site, topic="roasted coffee", pages=25, **CALM)
    plain = crawl(tmp_path / "b", site, pages=25, **CALM)
    about = [sum(name.startswith("coffee") for name in order) for order in (focused, plain)]
    assert about[0] >= 20 > about[1]


def test_harvest_is_told_everywhere(tmp_path, site):
    crawl(tmp_path / "c", site, topic="roasted coffee", pages=25, **CALM)
    with telusur.open(tmp_path / "c") as collection:
        scores = {row["url"]: row["topic_score"] for row in collection.pages()}
        status = collection.status()
        some = next(url for url in scores if "coffee" in url)
        assert collection.document(some).topic_score == scores[some] > 0.5
    relevant = sum(score >= 0.5 for score in scores.values())
    assert all((score >= 0.5) == ("coffee" in url) for url, score in scores.items())
    assert (status.relevant, status.harvest_rate) == (relevant, relevant / 25)


def test_a_share_of_the_best_pages_is_relevant(tmp_path, site):
    settings = {"topic": "owls", "strategy": "breadth-first", "relevant": 0.99}
    crawl(tmp_path / "c", site, relevant_share=0.4, pages=40, **settings, **CALM)
    with telusur.open(tmp_path / "c") as collection:
        pages = list(collection.pages())
        status = collection.status()
    relevant = [page for page in pages if page["topic"]]
    assert {page["url"] for page in relevant} == {p["url"] for p in pages if "owls" in p["url"]}
    assert max(page["topic_score"] for page in relevant) < 0.99
    assert (status.relevant, status.harvest_rate) == (len(relevant), len(relevant) / 40)


def test_depth_first_follows_a_trail_before_the_next(tmp_path, site):
    """A host is not handed a dozen links of the first page before the second is read."""
    crawl(tmp_path / "c", site, strategy="depth-first", pages=12, **CALM)
    with telusur.open(tmp_path / "c") as collection:
        assert [page["depth"] for page in collection.pages()] == list(range(12))


def test_topic_selective_follows_only_links_with_the_words(tmp_path, site):
    order = crawl(tmp_path / "c", site, strategy="topic-selective", topic="owls", **CALM)
    assert all(name.startswith("owls") for name in order[1:])
    assert len(order) == PAGES // 3 + 1
    with telusur.open(tmp_path / "c") as collection:
        story = collection.why(site.url("/coffee-0"))
    assert (story.state, story.reason.split(":")[0]) == ("skipped", "strategy")


def test_another_strategy_takes_over_what_waits(tmp_path, site):
    crawl(tmp_path / "c", site, strategy="in-links", pages=10, **CALM)
    found = rows(tmp_path / "c", "SELECT score FROM urls WHERE state = 0")
    assert all(score >= 1 for (score,) in found)
    crawl(tmp_path / "c", site, pages=11, **CALM)
    found = rows(tmp_path / "c", "SELECT score, depth FROM urls WHERE state = 0")
    assert all(score == -depth for score, depth in found)


def test_examples_stand_for_words(tmp_path, site):
    (tmp_path / "like.txt").write_text("Coffee\nHow coffee beans are roasted. " + "coffee " * 9)
    order = crawl(tmp_path / "c", site, like=[str(tmp_path / "like.txt")], pages=20, **CALM)
    assert sum(name.startswith("coffee") for name in order) >= 15


def test_marks_reach_the_strategy(tmp_path, site):
    (tmp_path / "mine.py").write_text(
        "from telusur.crawl.strategies import Strategy\n"
        "class Mine(Strategy):\n"
        "    def score(self, links, page):\n"
        "        return [float(len(self.topic.label_of))] * len(links)\n"
    )
    (tmp_path / "labels").write_text("# mine\nbad http://b.example/\n")
    with telusur.open(tmp_path / "c") as collection:
        collection.mark("http://a.example/", True)
    settings = {"strategy": str(tmp_path / "mine.py"), "labels": str(tmp_path / "labels")}
    crawl(tmp_path / "c", site, pages=1, **settings, **CALM)
    found = rows(tmp_path / "c", "SELECT DISTINCT score FROM urls WHERE state = 0")
    assert found == [(2.0,)]


BROKEN = [
    ("x = 1", "must define one class"),
    ("from telusur.crawl.strategies import Strategy\nclass A(Strategy): pass", "lacks score"),
    ("import nothing_like_this", "line 1: ModuleNotFoundError"),
]


@pytest.mark.parametrize(("code", "complaint"), BROKEN)
def test_a_broken_file_is_told_before_the_crawl(tmp_path, code, complaint):
    (tmp_path / "mine.py").write_text(code)
    with telusur.open(tmp_path / "c") as collection, pytest.raises(UsageError, match=complaint):
        collection.crawl(["http://a.example/"], strategy=str(tmp_path / "mine.py"))


def test_a_strategy_that_fails_ends_the_crawl_with_its_line(tmp_path, site):
    (tmp_path / "mine.py").write_text(
        "from telusur.crawl.strategies import Strategy\n"
        "class Mine(Strategy):\n"
        "    def score(self, links, page):\n"
        "        return [1 / 0 for _ in links]\n"
    )
    with pytest.raises(UsageError, match=r"mine.py failed, line 4: ZeroDivisionError"):
        crawl(tmp_path / "c", site, strategy=str(tmp_path / "mine.py"), pages=5, **CALM)


# One that learns; `slow` kills them all.
QUICK = ("focused",)


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(one, marks=pytest.mark.slow) for one in STRATEGIES if one not in QUICK),
    ],
)
def test_after_a_kill_a_strategy_knows_what_the_committed_pages_tell(tmp_path, held, name):
    """And the same pages come in the same order: what is compared is another crawl."""
    directory = tmp_path / "killed"
    command = [PROGRAM, "crawl", held.url("/harbour-1"), "--to", str(directory), "--allow-private"]
    command += ["--delay", "0", "--no-index", "--render", "never", "--workers", "1"]
    command += ["--per-host", "1", "--connections", "1", "--strategy", name, "--topic", "owls"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while len(held.paths()) < 12:
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with telusur.open(directory) as collection:
        committed = [row["url"].rsplit("/", 1)[-1] for row in collection.pages()]
    assert 0 < len(committed) < PAGES
    held.otherwise = web
    settings = {"strategy": name, "topic": "owls", "pages": len(committed), **ONE_BY_ONE}
    assert crawl(tmp_path / "other", held, **settings) == committed, "the same order"
    assert memory(directory) == memory(tmp_path / "other")


@contextmanager
def three_sites(seconds):
    """The web on three hosts, links lead from each to the next; answers take as long as told."""
    served = []

    def answer(path):
        if path == "/robots.txt":
            return Answer("", seconds=seconds())
        elsewhere = "".join(f'<a href="{site.origin}{path}">{path}</a> ' for site in served)
        return Answer(web(path) + elsewhere, seconds=seconds())

    with ExitStack() as stack:
        served += [stack.enter_context(serving({}, otherwise=answer)) for _ in range(3)]
        yield [site.url(f"/harbour-{number}") for number, site in enumerate(served)]


def order_of(directory, name, seconds):
    with three_sites(seconds) as urls, telusur.open(directory) as collection:
        places = {urllib.parse.urlsplit(url).netloc: str(at) for at, url in enumerate(urls)}
        collection.crawl(urls, strategy=name, topic="owls", pages=120, scope="any", **ONE_BY_ONE)
        pages = [urllib.parse.urlsplit(row["url"]) for row in collection.pages()]
    return [places[parts.netloc] + parts.path for parts in pages]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth-first", "shark-search", "focused"])
def test_one_by_one_the_order_does_not_depend_on_how_fast_answers_come(tmp_path, name):
    draw = random.Random(7)
    orders = [
        order_of(tmp_path / kind, name, seconds)
        for kind, seconds in {"quick": float, "slow": lambda: draw.choice([0.0, 0.01])}.items()
    ]
    assert len(orders[0]) == 120
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("fish-search", "opic")),
        "site-balanced",
    ],
)
def test_a_strategy_fetches_the_whole_site(tmp_path, site, name):
    order = crawl(tmp_path / name, site, strategy=name, topic="coffee", per_host=4, **CALM)
    assert len(order) == len(set(order)) == PAGES


def test_status_of_a_crawl_with_a_topic_in_json(tmp_path, site):
    crawl(tmp_path / "c", site, topic="coffee", pages=3, **CALM)
    done = subprocess.run(
        [PROGRAM, "status", "--in", str(tmp_path / "c"), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["harvest_rate"] is not None
