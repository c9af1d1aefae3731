"""A sitemap through the parser: who has a say in what it names."""

import pytest

from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.pipeline.parsing.hooks_file import read_hooks
from telusur.pipeline.parsing.page_parser import PageParser, ParseJob
from telusur.pipeline.parsing.strategy_looks import Eyes
from telusur.pipeline.plan.topic_source import plan_strategy
from telusur.settings import CrawlSettings

URL = "http://a.example/s.xml"


def parse(body, hooks=None, headers=(), **settings):
    made = CrawlSettings(**settings)
    parser = PageParser(
        Discovery(Scope(["http://a.example/"], made)), "article", made.max_bytes,
        hooks=hooks, eyes=Eyes(plan_strategy(made)),
    )  # fmt: skip
    return parser.parse(ParseJob(URL, 0, headers, body, sitemap=1))


def urlset(*paths):
    return ("<urlset>" + "".join(f"<url><loc>{path}</loc></url>" for path in paths)).encode() + b"<"


def reasons(parsed):
    (listed,) = parsed.listing.unpacked()
    return {one.found.link.url.rpartition("/")[2]: one.found.skip_reason for one in listed}


def test_hooks_choose_among_what_a_sitemap_names(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(
        "def follow(link, page):\n    return 'b' in link.url.rpartition('/')[2] and 7\n"
    )
    parsed = parse(urlset("/a", "/b"), read_hooks(str(file)))
    assert reasons(parsed) == {"a": "hooks: follow() said no", "b": ""}
    (listed,) = parsed.listing.unpacked()
    assert [one.found.score for one in listed] == [None, 7.0]


def test_a_strategy_that_judges_links_judges_these():
    parsed = parse(urlset("/owls", "/cars"), strategy="topic-selective", topic="owls")
    assert reasons(parsed)["owls"] == ""
    assert reasons(parsed)["cars"].startswith("strategy: ")


def test_trouble_in_a_strategy_of_ones_own_is_told(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from telusur.crawl.strategies import Strategy\n"
        "class Mine(Strategy):\n    judges_links = True\n"
        "    def refuse(self, page, links):\n        return 1 / 0\n"
        "    def score(self, links, page):\n        return [0.0] * len(links)\n"
    )
    parsed = parse(urlset("/a"), strategy=str(file))
    assert "division by zero" in parsed.trouble
    assert reasons(parsed) == {"a": ""}


@pytest.mark.parametrize(
    ("body", "coding", "reason"),
    [
        (b"<html>Not found", "", "content type: not a sitemap"),
        (b"", "", "content type: not a sitemap"),
        (urlset("/a"), "rot13", "bad response: Unknown content coding 'rot13'."),
    ],
)
def test_what_is_no_sitemap(body, coding, reason):
    parsed = parse(body, headers=[("Content-Encoding", coding)])
    assert (parsed.listing, parsed.document, parsed.skip_reason) == (None, None, reason)


def test_the_rest_of_a_sitemap_that_is_too_long_is_marked(monkeypatch):
    for module in ("telusur.extract.sitemap", "telusur.pipeline.parsing.sitemap_parser"):
        monkeypatch.setattr(f"{module}.MOST_URLS", 1200)
    parsed = parse(urlset(*(f"/{number}" for number in range(1201))))
    assert parsed.truncated
    assert parsed.listing.note == "the first 1,200 URLs"
    assert [len(listed) for listed in parsed.listing.unpacked()] == [1000, 200]
