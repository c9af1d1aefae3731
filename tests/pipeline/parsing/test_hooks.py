"""A user's own file in whole crawls: what it chooses, what it keeps, and what it does wrong."""

from dataclasses import dataclass

import pytest

import telusur
from telusur.crawl.rules.discovery import FoundLink
from telusur.pipeline.parsing import hooks
from telusur.pipeline.parsing.hooks import CrawledPage, Hooks
from telusur.pipeline.parsing.hooks_file import read_hooks
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never", "workers": 1, "index": False}
WEB = {"/": page("Home", links=["/a", "/b", "/c"]), "/a": page("A", links=["/b"])}
REFUSED = ("skipped", "hooks: follow() said no")


@dataclass
class Crawled:
    summary: object
    states: dict
    pages: dict


@pytest.fixture
def crawl(tmp_path):
    """Crawl a site with the code of a hooks file, or without one."""

    def go(site, code=None, **settings):
        file = tmp_path / "mine.py"
        if code is not None:
            file.write_text(code)
            settings["hooks"] = file
        with telusur.open(tmp_path / "c") as collection:
            summary = collection.crawl([site.url()], **{**FAST, **settings})
            urls = {row["url"].removeprefix(site.origin): row for row in collection.urls()}
            pages = {row["url"].removeprefix(site.origin): row for row in collection.pages()}
        states = {path: (row["state"], row["reason"]) for path, row in urls.items()}
        return Crawled(summary, states, pages)

    return go


def load(directory, code):
    file = directory / "mine.py"
    file.write_text(code)
    return Hooks(read_hooks(str(file)))


def open_page():
    document = telusur.extract("<title>T</title><p>text", "http://a.example/")
    return CrawledPage(document, 0, str)


def found(anchor=""):
    return FoundLink(b"1", "http://b.example", "b.example", "", telusur.Link("http://b/", anchor))


def test_follow_chooses_links(crawl):
    with serving(WEB, otherwise=page) as site:
        ended = crawl(site, "def follow(link, page):\n    return not link.url.endswith('/b')")
        assert sorted(site.paths()) == ["/", "/a", "/c"]
    assert ended.states["/b"] == REFUSED
    assert ended.states["/a"] == ("done", "")


def test_what_one_page_may_not_lead_to_another_may(crawl):
    code = "def follow(link, page):\n    return not link.url.endswith('/b') or page.title == 'A'"
    with serving(WEB, otherwise=page) as site:
        ended = crawl(site, code)
        assert sorted(site.paths()) == ["/", "/a", "/b", "/c"]
    assert ended.states["/b"] == ("done", "")
    assert ended.summary.progress.skipped == 0


def test_a_crawl_without_the_file_lets_in_what_it_refused(crawl):
    with serving(WEB, otherwise=page) as site:
        code = "def follow(link, page): return link.anchor == 'never'"
        assert crawl(site, code).states["/c"] == REFUSED
        assert crawl(site, code).states["/c"] == REFUSED
        assert crawl(site).states["/c"] == ("done", "")


def test_a_number_is_a_score(crawl):
    code = "def follow(link, page): return {'a': 1.5, 'b': 2, 'c': 9}[link.url[-1]]"
    with serving({"/": WEB["/"]}, otherwise=page) as site:
        crawl(site, code)
        assert site.paths() == ["/", "/c", "/b", "/a"]


@pytest.mark.parametrize(("also", "minutes"), [("", 5), ("; page.document.reading_minutes = 2", 2)])
def test_the_time_to_read_follows_a_text_that_visit_changed(crawl, also, minutes):
    code = f"def visit(page): page.document.text = 'word ' * 1000{also}"
    with serving({"/": page("Home", "A few words.")}) as site:
        assert crawl(site, code).pages["/"]["reading_minutes"] == minutes


def test_visit_keeps_fields_and_may_change_the_document(crawl):
    code = """
class Text(str): pass

def visit(page):
    if page.depth == 0:
        page.document.title = Text('Ours')
        page.links.append(__import__('telusur').Link('/hidden', 'found by us'))
        page.document.noindex = True
        return {'words': len(page.text.split()), 'forms': len(page.parts.forms), 1: ('x', None)}
"""
    with serving({"/": "<title>Start</title><form></form><p>Two words"}, otherwise=page) as site:
        ended = crawl(site, code)
        assert site.paths() == ["/", "/hidden"]
    home = ended.pages["/"]
    assert home["fields"] == {"words": 2, "forms": 1, "1": ["x", None]}
    assert (home["title"], home["reason"]) == ("Ours", "noindex")
    assert ended.pages["/hidden"]["fields"] == {}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{}['price']", "visit() failed, line 3: KeyError: 'price'"),
        ("raise SystemExit(4)", "visit() failed, line 3: SystemExit: 4"),
        ("return [1]", "visit() failed, TypeError: it returned list; return a dict of fields"),
        ("return {'x': object()}", "visit() failed, TypeError: Object of type object"),
        ("return {'x': float('nan')}", "visit() failed, ValueError: Out of range"),
        ("return {'x': 'y' * 1000001}", "visit() failed, ValueError: its fields are larger"),
        ("page.document.text = None", "visit() failed, TypeError: document.text is NoneType"),
        ("page.document.author = 5", "visit() failed, TypeError: document.author is int"),
        ("page.links.append('/x')", "visit() failed, TypeError: document.links has str"),
        ("page.document.links = 7", "visit() failed, TypeError"),
        ("page.nothing", "visit() failed, line 3: AttributeError: 'CrawledPage' object"),
    ],
)  # fmt: skip
def test_what_visit_does_wrong_is_told(tmp_path, line, complaint):
    mine = load(tmp_path, f"def visit(page):\n  if page.url:\n    {line}\n  return {{'ok': 1}}")
    seen = open_page()
    assert mine.visit(seen).startswith(f"hooks: {complaint}")
    assert (seen.title, seen.text, seen.links, seen.document.author, seen.document.fields) == (
        "T", "text", [], None, {},
    )  # fmt: skip


def test_trouble_costs_one_page_and_is_reported_with_it(crawl):
    code = """
def visit(page):
    return {'ok': {'Home': 1, 'B': 2, 'C': 3}[page.title]}
def follow(link, page):
    return link.url.endswith('/c') or 1 / link.url.endswith('/a')
"""
    web = {**WEB, "/c": page("C", links=["/b"])}
    with serving(web, otherwise=page) as site:
        ended = crawl(site, code)
        assert sorted(site.paths()) == ["/", "/a", "/c"]
    divided = "hooks: follow() failed, line 5: ZeroDivisionError: division by zero"
    assert ended.states == {
        "/": ("done", divided),
        "/a": ("done", "hooks: visit() failed, line 3: KeyError: 'A'"),
        "/b": ("skipped", divided),
        "/c": ("done", divided),
    }
    assert ended.pages["/a"]["fields"] == {}
    assert ended.pages["/c"]["fields"] == {"ok": 3}
    assert ended.summary.progress.hook_troubles[divided] == 2


def test_an_error_that_cannot_be_written_as_utf8_is_told_all_the_same(crawl):
    with serving({"/": page("Home")}) as site:
        ended = crawl(site, "def visit(page):\n    raise ValueError('odd: ' + chr(0xD800))")
    assert ended.states == {"/": ("done", "hooks: visit() failed, line 2: ValueError: odd: ?")}


def test_a_score_is_a_number(tmp_path):
    mine = load(tmp_path, "def follow(link, page): return float(link.anchor)")
    judged, trouble = mine.judge([found("2.5"), found("inf"), found("0")], open_page())
    assert [one.score for one in judged] == [2.5, None, None]
    assert [one.is_wanted for one in judged] == [True, False, False]
    assert trouble == judged[1].skip_reason == "hooks: follow() failed, ValueError: a score of inf"


def test_code_that_takes_its_process_down_costs_one_page(crawl):
    code = "def visit(page):\n  if page.url.endswith('/a'):\n    import os; os._exit(1)"
    with serving(WEB, otherwise=page) as site:
        ended = crawl(site, code)
    assert ended.states["/a"] == ("failed", "parser: the process died")
    assert [ended.states[path][0] for path in ("/", "/b", "/c")] == ["done"] * 3


def test_code_that_does_not_end_costs_its_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(hooks, "PAGE_SECONDS", 0.05)
    loop = "\n while 1: pass\n"
    mine = load(tmp_path, f"def visit(page):{loop}def follow(link, page):{loop}")
    assert mine.visit(open_page()) == "hooks: visit() took longer than 0.05 s"
    judged, trouble = mine.judge([found(), found()], open_page())
    assert trouble == "hooks: follow() took longer than 0.05 s"
    assert [one.skip_reason for one in judged] == [trouble, trouble]


def test_every_parser_runs_the_file_as_it_was(crawl, tmp_path):
    code = f"""
import neighbour
def visit(page):
    open({str(tmp_path / "mine.py")!r}, 'w').write('broken (')
    return {{'from': neighbour.NAME}}
"""
    (tmp_path / "neighbour.py").write_text("NAME = 'next door'")
    with serving(WEB, otherwise=page) as site:
        ended = crawl(site, code, workers=2)
    assert {row["fields"]["from"] for row in ended.pages.values()} == {"next door"}


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("def follow(", "cannot be loaded: line 1: '(' was never closed."),
        ("x = 1\nimport nowhere.x", "line 2: ModuleNotFoundError: No module named 'nowhere'."),
        ("raise SystemExit", "cannot be loaded: line 1: SystemExit."),
        ("a = 1", "defines neither follow(link, page) nor visit(page)."),
        ("visit = 5", "visit(page) must be a plain function."),
        ("async def visit(page): pass", "visit(page) must be a plain function."),
        ("def visit(a, b): pass", "visit(a, b) must be visit(page)."),
        ("def follow(link): pass", "follow(link) must be follow(link, page)."),
        (
            "import telusur\ntelusur.open('x').crawl(['http://a/'], hooks=__file__)",
            "put that below `if __name__",
        ),
    ],
)
def test_a_file_that_is_no_good_is_refused_before_anything_is_touched(
    tmp_path, monkeypatch, code, complaint
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bad.py"
    file.write_text(code)
    with pytest.raises(telusur.UsageError) as caught:
        read_hooks(str(file))
    assert str(caught.value).startswith("--hooks: bad.py")
    assert complaint in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    for name, reason in (("none.py", "No such file"), (".", "Is a dir"), ("binary.py", "UTF-8")):
        with pytest.raises(telusur.UsageError, match=f"cannot be read: .*{reason}"):
            read_hooks(str(tmp_path / name))
