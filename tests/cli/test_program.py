"""Commands that we suggest work as printed, also where `telusur` is not on the PATH."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from telusur.cli.program import program

SCRIPT = Path(sys.executable).parent / "telusur"
ELSEWHERE = {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


@pytest.fixture
def off_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))


def test_telusur_is_called_by_its_name_where_it_is_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", str(SCRIPT.parent))
    assert program() == "telusur"


def test_elsewhere_it_is_called_as_it_was_started(off_the_path, tmp_path, monkeypatch):
    script = tmp_path / "my tools" / "telusur"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o700)
    monkeypatch.setattr(sys, "argv", [str(script), "demo"])
    assert program() == f"'{script}'"


@pytest.mark.parametrize("started", ["", "-c", "/no/such/telusur", __file__])
def test_a_program_that_is_not_telusur_calls_it_by_its_python(off_the_path, monkeypatch, started):
    monkeypatch.setattr(sys, "argv", [started])
    assert program() == f"{sys.executable} -m telusur.cli"


@pytest.mark.slow
def test_the_command_that_the_demo_prints_finds_pages(tmp_path):
    """As `make demo` runs it: by a path, with no `telusur` on the PATH."""
    (tmp_path / "bin").symlink_to(SCRIPT.parent)
    environment = {**ELSEWHERE, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    ports = ["--port", "0", "--web-port", "0"]
    with subprocess.Popen(
        ["bin/telusur", "demo", "--no-open", *ports], cwd=tmp_path, env=environment,
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    ) as demo:  # fmt: skip
        try:
            lines = iter(demo.stderr.readline, "")
            hint = next(line for line in lines if line.startswith("Search it: "))
            assert any("in your browser" in line for line in lines)
            command = re.sub("WORDS", "lighthouse", hint.removeprefix("Search it: "))
            assert command.startswith("bin/telusur search lighthouse --in ")
            found = subprocess.run(
                ["sh", "-c", command], cwd=tmp_path, env=environment, check=False,
                capture_output=True, text=True, timeout=100,
            )  # fmt: skip
        finally:
            demo.send_signal(signal.SIGINT)
            demo.communicate(timeout=100)
    assert found.returncode == 0, found.stderr
    assert "lighthouse" in found.stdout.lower()
