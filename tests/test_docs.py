"""The documents, kept true: links lead somewhere, examples run, reference pages match the code."""

import doctest
import importlib
import re
import runpy
import sys
import textwrap
import types
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from telusur.cli import COMMANDS, telusur
from telusur.crawl.strategies import Setup, Visit
from telusur.crawl.strategies.by_name import STRATEGIES, describe_strategy, find_strategy
from telusur.document_table import QUERY_WORDS
from telusur.models import Link
from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import settings_of
from telusur.settings.row import setting
from tests.crawl.strategy_suite import check_strategy
from tests.documents import FENCE, ROOT, read

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


# Reference pages


def test_settings_and_command_line_pages_are_up_to_date():
    script = runpy.run_path(str(ROOT / "scripts" / "make_docs.py"))
    assert script["out_of_date"]() == [], "run: make docs"


def test_a_page_that_says_something_else_is_noticed(tmp_path):
    script = runpy.run_path(str(ROOT / "scripts" / "make_docs.py"))
    for name in ("settings.md", "fields.md"):
        (tmp_path / name).write_text(read(f"docs/{name}"), encoding="utf-8")
    (tmp_path / "cli.md").write_text(read("docs/cli.md").replace("--pages", "--sheets"))
    assert script["out_of_date"](tmp_path) == ["cli.md"]


@pytest.mark.parametrize("table", [CrawlSettings, ServeSettings])
def test_every_setting_is_documented(table):
    text = read("docs/settings.md")
    for row in settings_of(table):
        assert f"| `{row.name}` | `{row.flag}" in text
        assert f"`{row.env}`" in text


def test_every_command_is_documented():
    for name in COMMANDS:
        assert f"\n## telusur {name}\n" in read("docs/cli.md")


def test_no_help_shows_the_code_that_makes_it():
    assert re.findall(r".*\{.*join.*", read("docs/cli.md")) == []


def test_the_help_of_search_names_every_word_of_a_query():
    section = read("docs/cli.md").partition("\n## telusur search\n")[2].partition("\n## ")[0]
    assert [word for word in QUERY_WORDS if f"{word}:" not in section] == []


def test_every_crawl_flag_is_explained_in_the_page_about_crawling():
    text = read("docs/crawling.md")
    missing = [row.flag for row in settings_of(CrawlSettings) if f"`{row.flag}" not in text]
    assert missing == []


# Commands, targets and links that documents name


def flags_of(command: click.Command) -> set[str]:
    return {flag for parameter in command.params for flag in parameter.opts} | {"--help", "-h"}


@pytest.mark.parametrize("name", NAMES)
def test_commands_in_documents_exist_with_their_flags(name):
    context = click.Context(telusur)
    for command, rest in re.findall(r"(?:^\$ |`)telusur ([a-z]+)\b([^`\n|]*)", read(name), re.M):
        assert command in COMMANDS, f"{name}: telusur {command}"
        known = flags_of(telusur.get_command(context, command))
        unknown = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) - known
        assert not unknown, f"{name}: telusur {command} has no {unknown}"


@pytest.mark.parametrize("name", NAMES)
def test_make_targets_in_documents_exist(name):
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)\b", read(name), re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize("name", NAMES)
def test_links_and_pictures_lead_somewhere(name):
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", read(name)))
    dead = [link for link in LINK.findall(prose) if not leads_somewhere(ROOT / name, link)]
    assert dead == []


def leads_somewhere(page: Path, link: str) -> bool:
    if re.match(r"https?://|mailto:", link):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or anchor in anchors(target)


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_the_link_check_sees_dead_links():
    page = ROOT / "README.md"
    assert leads_somewhere(page, "docs/README.md")
    assert leads_somewhere(page, "ARCHITECTURE.md#identity")
    assert not leads_somewhere(page, "docs/no-such-page.md")
    assert not leads_somewhere(page, "ARCHITECTURE.md#no-such-heading")
    assert not leads_somewhere(page, "../elsewhere.md")


def test_central_names_are_where_the_architecture_says():
    links = re.findall(r"\[((?:`[\w.]+`(?:, )?)+)\]\(([\w/]+\.py)\)", read("ARCHITECTURE.md"))
    assert len(links) > 30
    for names, file in links:
        for name in re.findall(r"[\w.]+", names):
            for part in name.split("."):
                assert re.search(rf"\b(class|def) {part}\b", read(file)), f"{file}: {name}"


def test_every_room_has_its_section_in_the_architecture():
    rooms = [path.name for path in (ROOT / "telusur").iterdir() if (path / "__init__.py").exists()]
    headings = re.findall(r"^### ([^:\n]+): ", read("ARCHITECTURE.md"), re.MULTILINE)
    told = {name for heading in headings for name in heading.split(", ")}
    assert [room for room in rooms if f"{room}/" not in told] == []


DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_every_decision_has_the_same_sections(path):
    text = path.read_text("utf-8")
    number, title = text.split("\n")[0].removeprefix("# ").split(": ", 1)
    assert path.name.startswith(f"{number}-")
    assert re.search(r"\n\nStatus: \w.*\\\nDate: \d{4}-\d\d-\d\d\n\n", text)
    sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert sections == ["Context", "Measured", "Decision", "Look again when"]
    assert f"- [{number} {title}](decisions/{path.name})" in read("docs/README.md")


def test_the_table_of_the_workbench_names_each_page_once():
    rows = re.findall(r"^\| `(/[^`?]*)", read("docs/web.md"), re.MULTILINE)
    assert len(rows) > 20
    assert [row for row, number in Counter(rows).items() if number > 1] == []


def test_every_strategy_is_in_the_page_about_strategies():
    text = read("docs/strategies.md")
    assert [name for name in STRATEGIES if f"| `{name}`" not in text] == []


def test_the_index_of_the_documentation_names_every_page():
    index = read("docs/README.md")
    pages = [page for page in (ROOT / "docs").rglob("*.md") if page.name != "README.md"]
    missing = [page.name for page in pages if f"({page.relative_to(ROOT / 'docs')})" not in index]
    assert missing == []


def test_the_index_of_the_documentation_names_every_page_once():
    links = re.findall(r"\]\(([^)]+)\)", read("docs/README.md"))
    assert sorted(set(links)) == sorted(links)


def test_no_line_stands_twice_in_the_list_of_changes():
    """A merge may leave both versions of a sentence."""
    beginnings = [line[:60] for line in read("CHANGELOG.md").splitlines() if line[:2] == "- "]
    assert sorted(set(beginnings)) == sorted(beginnings)


# Examples of CONTRIBUTING


def example_of_contributing(heading: str) -> str:
    """Return the Python example below a heading, without the indent of its list."""
    section = read("CONTRIBUTING.md").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    [code] = re.findall(r"^   ```python\n(.*?)^   ```$", section, re.MULTILINE | re.DOTALL)
    return textwrap.dedent(code)


def test_the_strategy_of_contributing_works(monkeypatch):
    module = types.ModuleType("shortest_url", "")
    monkeypatch.setitem(sys.modules, "shortest_url", module)
    module.__dict__["__name__"] = "shortest_url"
    exec(
        compile(example_of_contributing("Adding a strategy"), "CONTRIBUTING.md", "exec"),
        vars(module),
    )
    kind = module.ShortestUrl
    monkeypatch.setitem(STRATEGIES, kind.name(), kind)
    assert kind.name() == "shortest-url"
    assert describe_strategy("shortest-url") == "Links with short addresses come first."
    check_strategy(find_strategy("shortest-url"))
    near, far = kind(Setup()).score(
        [Link("http://a/1"), Link("http://a/12")], Visit("http://a/", 0)
    )
    assert near > far


def test_the_setting_of_contributing_has_its_flag_and_variable():
    code = (
        f"@dataclass(frozen=True)\nclass Table:\n    {example_of_contributing('Adding a setting')}"
    )
    names = {"dataclass": dataclass, "setting": setting}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)
    [row] = settings_of(names["Table"])
    assert (row.flag, row.env) == ("--most-links", "TELUSUR_MOST_LINKS")
    for told in (row.flag, row.env, "most_links="):
        assert told in read("CONTRIBUTING.md")


# Examples with `>>>`


@pytest.mark.parametrize("name", [name for name in NAMES if ">>> " in read(name)])
def test_examples_of_documents_run(name):
    sessions = "\n\n".join(text for _, text in FENCE.findall(read(name)) if ">>> " in text)
    run_examples(doctest.DocTestParser().get_doctest(sessions, {}, name, name, 0))


def modules_with_examples() -> list[str]:
    files = [path for path in (ROOT / "telusur").rglob("*.py") if ">>> " in path.read_text("utf-8")]
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in sorted(files)]
    return [".".join(part for part in one if part != "__init__") for one in parts]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of_docstrings_run(name):
    tests = doctest.DocTestFinder().find(importlib.import_module(name))
    for test in tests:
        run_examples(test)
    assert any(test.examples for test in tests)


def run_examples(test: doctest.DocTest) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)
