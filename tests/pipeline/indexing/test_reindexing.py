"""Reindexing reads a page as the crawl that fetched it did, and runs no file by itself."""

import numpy as np
import pytest

import telusur
from telusur.cli import run
from telusur.cli.program import program
from telusur.errors import UsageError
from telusur.extract.content.model import SHIPPED, Model, load_model
from tests.sites import Answer, page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never", "workers": 1, "scope": "host"}
HTML = {"Content-Type": "text/html; charset=utf-8"}
MENU = "".join(f"<li><a href=/a?{n}>Entry {n} of the menu</a>" for n in range(20))
STORY = "".join(
    f"<p>On day {n} the moon pulls the sea towards it, and the sea comes back twice a day "
    "whatever people who stand on the shore with their dogs and children may think of it.</p>"
    for n in range(10)
)
ARTICLE = (
    f"<!doctype html><html lang=en><title>Tides</title><nav><ul>{MENU}</ul></nav>"
    f"<article><h1>Tides</h1>{STORY}</article><footer><p>Imprint</p></footer>"
)
WEB = {
    "/": page("Home", "A page with a price of 5 crowns.", ["/a", "/tides"]),
    "/a": page("A", "A page with a price of 7 crowns."),
    "/tides": Answer(ARTICLE.encode(), headers=HTML),
    "/tides?again": Answer(ARTICLE.encode(), headers=HTML),
}
PAGES = 3
HOOKS = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()

def visit(page):
    page.document.title = page.title.upper()
    return {"depth": page.depth, "version": VERSION}
"""


@pytest.fixture
def site():
    with serving(WEB) as served:
        yield served


@pytest.fixture
def collection(tmp_path):
    with telusur.open(tmp_path / "c") as opened:
        yield opened


@pytest.fixture
def hooks(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HOOKS.replace("VERSION", "1"))
    return file


def text_of(collection, url):
    with telusur.open(collection.directory) as fresh:
        return fresh.document(url).text


def seen(collection, site, path="/a"):
    with telusur.open(collection.directory) as fresh:
        document = fresh.document(site.url(path))
    return document.title, document.fields


def test_hooks_of_a_collection_are_not_run_unless_they_are_named(collection, site, hooks):
    collection.crawl([site.url("/")], hooks=hooks, **FAST)
    hooks.with_suffix(".ran").unlink()
    sentence = (
        r"^Pages of this collection were crawled with --hooks mine\.py: name the file again with "
        r"--hooks FILE, or extract without it: --without-hooks\.$"
    )
    with pytest.raises(UsageError, match=sentence):
        collection.reindex()
    assert not hooks.with_suffix(".ran").exists()
    assert seen(collection, site) == ("A", {"depth": 1, "version": 1})


def test_hooks_that_are_named_see_the_pages_again(collection, site, hooks):
    collection.crawl([site.url("/")], hooks=hooks, **FAST)
    asked = len(site.requests)
    hooks.write_text(HOOKS.replace("VERSION", "2"))
    assert collection.reindex(hooks=hooks) == PAGES
    assert seen(collection, site) == ("A", {"depth": 1, "version": 2})
    assert seen(collection, site, "/tides") == ("TIDES", {"depth": 1, "version": 2})
    assert len(site.requests) == asked


@pytest.mark.slow
def test_without_hooks_pages_keep_their_fields(collection, site, hooks):
    collection.crawl([site.url("/")], hooks=hooks, **FAST)
    assert collection.reindex(hooks="") == PAGES
    assert seen(collection, site, "/tides") == ("Tides", {"depth": 1, "version": 1})


@pytest.mark.slow
def test_hooks_that_fail_leave_the_fields_and_are_told_of(collection, site, hooks, caplog):
    collection.crawl([site.url("/")], hooks=hooks, **FAST)
    hooks.write_text("def visit(page):\n    return 1 / 0\n")
    assert collection.reindex(hooks=hooks) == PAGES
    assert seen(collection, site, "/tides") == ("Tides", {"depth": 1, "version": 1})
    assert "visit() failed, line 2: ZeroDivisionError" in caplog.text


@pytest.mark.slow
def test_pages_of_a_crawl_without_hooks_are_not_shown_to_those_of_another(collection, site, hooks):
    collection.crawl([site.url("/tides")], depth=0, **FAST)
    collection.crawl([site.url("/")], hooks=hooks, **FAST)
    collection.reindex(hooks=hooks)
    assert seen(collection, site, "/tides") == ("Tides", {})
    assert seen(collection, site, "/")[0] == "HOME"


@pytest.mark.slow
def test_where_no_crawl_had_hooks_they_see_all_pages(collection, site, hooks):
    collection.crawl([site.url("/")], **FAST)
    collection.reindex(hooks=hooks)
    assert seen(collection, site) == ("A", {"depth": 1, "version": 1})


@pytest.fixture
def model(tmp_path):
    """A model that takes for content what the shipped one leaves out."""
    shipped = load_model(SHIPPED)
    weights = {**shipped.weights, "out.w": -shipped.weights["out.w"].astype(np.float32)}
    path = tmp_path / "own.npz"
    Model(weights, shipped.vocabulary, shipped.about).save(path)
    return path


def test_a_model_is_used_again_when_it_is_named(collection, site, model):
    url = site.url("/tides")
    collection.crawl([url], depth=0, model=model, **FAST)
    own = text_of(collection, url)
    with pytest.raises(UsageError, match=r"crawled with --model own\.npz: name the file again"):
        collection.reindex()
    collection.reindex(model="")
    assert "the moon pulls the sea" in text_of(collection, url) != own
    collection.reindex(model=model)
    assert text_of(collection, url) == own


@pytest.mark.slow
def test_pages_of_each_crawl_keep_its_kind_of_content(collection, site):
    collection.crawl([site.url("/tides")], depth=0, content="text", **FAST)
    collection.crawl([site.url("/a")], depth=0, **FAST)
    collection.reindex()
    assert "Imprint" in text_of(collection, site.url("/tides"))
    collection.crawl([site.url("/tides?again")], depth=0, **FAST)
    assert "Imprint" not in text_of(collection, site.url("/tides?again")), "or this shows nothing"


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--hooks", "gone.py"], "--hooks: gone.py cannot be read: No such file or directory."),
        (
            ["--model", "gone.npz"],
            "gone.npz: there is no such file; `telusur train` makes a model.",
        ),
        (["--hooks", "x.py", "--without-hooks"], "--hooks and --without-hooks exclude each other."),
        (["--model", ""], "--model: name a file, or write --without-model."),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(
    collection, site, flags, sentence, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    collection.crawl([site.url("/a")], depth=0, **FAST)
    assert run(["reindex", "--in", str(collection.directory), *flags]) == 2
    # Commands are named as they must be typed, which depends on how the tests were started.
    said = capsys.readouterr().err.replace(f"`{program()} ", "`telusur ")
    assert said == f"telusur: {sentence}\n"


@pytest.mark.slow
def test_the_command_says_what_the_crawl_had(collection, site, hooks, capsys):
    collection.crawl([site.url("/a")], depth=0, hooks=hooks, **FAST)
    command = ["reindex", "--in", str(collection.directory)]
    assert run(command) == 2
    assert "name the file again with --hooks FILE" in capsys.readouterr().err
    assert run([*command, "--without-hooks"]) == 0
    assert run([*command, "--hooks", str(hooks)]) == 0
