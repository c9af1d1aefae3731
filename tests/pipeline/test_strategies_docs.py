"""The example of docs/strategies.md, run as a reader would run it."""

import re
from pathlib import Path

from telusur.cli import run
from telusur.demo.server import serve
from telusur.pipeline.plan.own_file import OwnFile
from telusur.pipeline.plan.strategy_source import load_kind
from tests.crawl.strategy_suite import check_strategy

DOCS = Path(__file__).parents[2] / "docs" / "strategies.md"
((NAME, CODE),) = re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", DOCS.read_text(), re.M | re.S)


def test_the_example_is_short_and_passes_the_suite():
    assert len(CODE.splitlines()) <= 20
    check_strategy(load_kind(OwnFile(NAME, CODE, "--strategy")))


def test_the_example_crawls(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(NAME).write_text(CODE)
    flags = ["--strategy", f"./{NAME}", "--topic", "owls", "--tune", "bonus=3", "--pages", "15"]
    flags += ["--allow-private", "--delay", "0", "--render", "never", "--no-index"]
    with serve() as web:
        shop = web.origins["shop"]
        assert run(["crawl", f"{shop}/", "--to", "here", *flags]) == 0
    assert "15 pages" in capsys.readouterr().out
