"""The README's transcripts, run for real against the demo web.

They must show every line that is printed, in its order and as it stands, under three rules: what
depends on the speed of the machine (times, and how many pages and bytes were under way) becomes N;
a shown line that ends in " ..." was shortened and must be the beginning of the printed one; the
ports 8800 and 8080 stand for those the test was given.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.request import urlopen

import pytest

from telusur.cli import COMMANDS
from telusur.demo.server import serve
from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import make_settings
from tests.documents import blocks, read


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
    line = re.sub(r"\b\d+ pages \([\d.]+ kB\)", "N pages (N kB)", line)
    return re.sub(r"\b[\d.]+ (ms|s)\b", r"N \1", line).rstrip()


def differences(shown: list[str], printed: str) -> list[str]:
    """Return the lines that are shown and not printed in this place, and the other way round."""
    pairs = itertools.zip_longest(map(masked, shown), map(masked, printed.splitlines()))
    return [
        f"shown {one!r}, printed {other!r}"
        for one, other in pairs
        if one is None or other is None or not is_same(one, other)
    ]


def is_same(shown: str, printed: str) -> bool:
    if shown.endswith(" ..."):
        return printed.startswith(shown.removesuffix("..."))
    return shown == printed


def test_the_comparison_of_transcripts_notices_differences():
    printed = "3 pages (1.5 kB) in 1.5 s, 2 failed\n  2026-01-02 03:04:05+00:00  done\nhttp://a/x y"
    shown = ["7 pages (2.0 kB) in 0.1 s, 2 failed", "  2025-12-31 00:00:00+01:00  done"]
    assert differences([*shown, "http://a/x ..."], printed) == []
    assert differences([*shown, "http://a/x y"], printed) == []
    for wrong in (
        shown,  # the last line is missing
        [*shown, "http://a/x ...", "more"],
        [*shown, "http://b ..."],
        [shown[1], shown[0], "http://a/x y"],
        ["7 pages (2.0 kB) in 0.1 s, 3 failed", shown[1], "http://a/x y"],
    ):
        assert differences(wrong, printed), wrong


def test_the_readme_shows_the_five_commands():
    assert [command.split()[1] for command in transcripts()] == list(COMMANDS)[:5]


@pytest.mark.parametrize("command", COMMANDS_SHOWN)
def test_commands_of_the_readme_print_what_it_shows(desk, command):
    shown = [desk.here(line) for line in transcripts()[command]]
    printed = desk.run_all(COMMANDS_SHOWN)[command]
    assert shown
    assert differences(shown, printed) == [], printed


def test_serve_of_the_readme_answers(desk):
    desk.run_all(COMMANDS_SHOWN)
    [(command, [shown, shown_key])] = [
        (c, s) for c, s in transcripts().items() if c not in COMMANDS_SHOWN
    ]
    [path] = re.findall(r"`(/search\.json\?[^`]+)`", read("README.md"))
    with desk.start([*command.split(), "--port", "0"]) as process:
        try:
            ready, keyed = (process.stdout.readline().rstrip() for _ in range(2))
            url = re.search(r"http://127\.0\.0\.1:\d+", ready).group()
            answer = json.load(urlopen(url + path, timeout=100))
        finally:
            process.terminate()
            process.communicate(timeout=100)
    assert ready == shown.replace("http://127.0.0.1:8080", url)
    before, _, key = keyed.partition("?key=")
    before_shown, _, key_shown = shown_key.partition("?key=")
    assert before == before_shown.replace("http://127.0.0.1:8080", url)
    assert len(key) == len(key_shown)
    assert len(answer["hits"]) == 3
    assert process.returncode == 0


def test_python_of_the_readme_prints_what_it_shows(desk):
    desk.run_all(COMMANDS_SHOWN)
    [program], [shown] = blocks("README.md", "python"), blocks("README.md", "text")
    printed = desk.run(sys.executable, "-c", desk.here(program))
    assert printed == shown


def test_settings_of_the_readme_make_sense():
    for name in ("README.md", "docs/settings.md"):
        for block in blocks(name, "toml"):
            tables = {"crawl": CrawlSettings, "serve": ServeSettings}
            for section, values in tomllib.loads(block).items():
                settings = make_settings(tables[section], ("{name}", values))
                assert settings != tables[section]()
