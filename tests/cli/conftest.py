from dataclasses import dataclass

import pytest

from telusur.cli import run


@dataclass
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def telusur(capsys, monkeypatch, tmp_path):
    """Run the command line in this process, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("CRAWLER_START_URLS", "CRAWLER_MAX_THREADS", "CRAWLER_DURATION_SECONDS"):
        monkeypatch.delenv(name, raising=False)

    def go(*arguments) -> Ran:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return go
