"""The documents, kept true: links lead somewhere, examples run, reference pages match the code.

The README's transcripts are run for real against the demo web. A shown line must be printed as it
stands, under three rules: a time with a clock becomes TIME and a number that stands by itself N;
a shown line that ends in " ..." was shortened and must be the beginning of a printed one; the
ports 8800 and 8080 stand for those the test was given.
"""

import doctest
import importlib
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from telusur.cli import COMMANDS, telusur
from telusur.crawl.strategies import STRATEGIES
from telusur.demo.server import serve
from telusur.settings import CrawlSettings, ServeSettings, settings_of

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[str]:
    return [text for language, text in FENCE.findall(read(name)) if language == kind]


# Reference pages


def test_settings_and_command_line_pages_are_up_to_date():
    script = runpy.run_path(str(ROOT / "scripts" / "make_docs.py"))
    assert script["out_of_date"]() == [], "run: make docs"


def test_a_page_that_says_something_else_is_noticed(tmp_path):
    script = runpy.run_path(str(ROOT / "scripts" / "make_docs.py"))
    (tmp_path / "settings.md").write_text(read("docs/settings.md"), encoding="utf-8")
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
    text = read("ARCHITECTURE.md")
    assert [room for room in rooms if f"\n### {room}/: " not in text] == []


def test_every_strategy_is_in_the_page_about_strategies():
    text = read("docs/strategies.md")
    assert [name for name in STRATEGIES if f"| `{name}`" not in text] == []


def test_the_index_of_the_documentation_names_every_page():
    index = read("docs/README.md")
    pages = [page for page in (ROOT / "docs").rglob("*.md") if page.name != "README.md"]
    missing = [page.name for page in pages if f"({page.relative_to(ROOT / 'docs')})" not in index]
    assert missing == []


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


# The README, for real


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A user's desk: an empty directory, the demo web running, and a shell."""
    with serve() as web:
        yield Desk(tmp_path_factory.mktemp("readme"), web.port)


class Desk:
    def __init__(self, directory: Path, web_port: int) -> None:
        self.directory = directory
        self.web_port = web_port
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        self.environment = {"PATH": path, "HOME": str(directory), "LANG": "C.UTF-8"}
        self._printed: dict[str, str] = {}

    def here(self, text: str) -> str:
        return text.replace(":8800", f":{self.web_port}")

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.directory,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *command: str) -> str:
        with self.start(list(command)) as process:
            printed, _ = process.communicate(timeout=100)
        assert process.returncode == 0, printed
        return printed

    def run_all(self, commands: list[str]) -> dict[str, str]:
        """Run the commands one after the other, once; return what each printed."""
        for command in commands:
            if command not in self._printed:
                self._printed[command] = self.run(
                    "bash", "-o", "pipefail", "-c", self.here(command)
                )
        return self._printed


def transcripts() -> dict[str, list[str]]:
    """Return the README's commands, each with the lines it is shown to print."""
    found = {}
    for block in blocks("README.md", "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            found[command] = lines
    return found


COMMANDS_SHOWN = [command for command in transcripts() if not command.startswith("telusur serve")]


def masked(line: str) -> str:
    line = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d", "TIME", line)
    return re.sub(r"(?<![\w/.:-])\d+(\.\d+)?(?![\w/:-])", "N", line).rstrip()


def missing_lines(shown: list[str], printed: str) -> list[str]:
    lines = [masked(line) for line in printed.splitlines()]
    return [line for line in shown if not is_among(masked(line), lines)]


def is_among(shown: str, printed: list[str]) -> bool:
    if shown.endswith(" ..."):
        return any(line.startswith(shown.removesuffix("...")) for line in printed)
    return shown in printed


def test_the_comparison_of_transcripts_notices_differences():
    printed = "3 pages in 1.5 s\n  2026-01-02 03:04:05+00:00  done\nhttp://a.example/2026/x\n"
    assert missing_lines(["7 pages in 0.1 s", "http://a.example/ ..."], printed) == [
        "http://a.example/ ..."
    ]
    assert missing_lines(["  2025-12-31 00:00:00+01:00  done", "3 pages ..."], printed) == []
    assert missing_lines(["http://a.example/2025/x"], printed) == ["http://a.example/2025/x"]


def test_the_readme_shows_the_five_commands():
    assert [command.split()[1] for command in transcripts()] == list(COMMANDS)[:5]


@pytest.mark.parametrize("command", COMMANDS_SHOWN)
def test_commands_of_the_readme_print_what_it_shows(desk, command):
    shown = [desk.here(line) for line in transcripts()[command]]
    printed = desk.run_all(COMMANDS_SHOWN)[command]
    assert shown
    assert missing_lines(shown, printed) == [], printed


def test_serve_of_the_readme_answers(desk):
    desk.run_all(COMMANDS_SHOWN)
    [(command, [shown])] = [(c, s) for c, s in transcripts().items() if c not in COMMANDS_SHOWN]
    [path] = re.findall(r"`(/search\.json\?[^`]+)`", read("README.md"))
    with desk.start([*command.split(), "--port", "0"]) as process:
        try:
            ready = process.stdout.readline().rstrip()
            url = re.search(r"http://127\.0\.0\.1:\d+", ready).group()
            answer = json.load(urlopen(url + path, timeout=30))
        finally:
            process.terminate()
            process.communicate(timeout=30)
    assert ready == shown.replace("http://127.0.0.1:8080", url)
    assert len(answer["hits"]) == 3
    assert process.returncode == 0


def test_python_of_the_readme_prints_what_it_shows(desk):
    desk.run_all(COMMANDS_SHOWN)
    [program], [shown] = blocks("README.md", "python"), blocks("README.md", "text")
    printed = desk.run(sys.executable, "-c", desk.here(program))
    assert [masked(line) for line in printed.splitlines()] == [
        masked(line) for line in shown.splitlines()
    ]


def test_settings_of_the_readme_make_sense():
    import tomllib

    from telusur.settings import make_settings

    for name in ("README.md", "docs/settings.md"):
        for block in blocks(name, "toml"):
            tables = {"crawl": CrawlSettings, "serve": ServeSettings}
            for section, values in tomllib.loads(block).items():
                settings = make_settings(tables[section], ("{name}", values))
                assert settings != tables[section]()
