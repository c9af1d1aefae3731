"""What counts as the user's own strategy, and what does not."""

import pytest

from telusur.crawl.strategies import Setup
from telusur.errors import UsageError
from telusur.pipeline.plan.strategy_source import is_installed, read_source

MINE = """
import pathlib
pathlib.Path({trace!r}).write_text("ran")
from telusur.crawl.strategies import Strategy
class Mine(Strategy):
    def score(self, links, page):
        return [1.0 for _ in links]
"""


@pytest.fixture
def trace(tmp_path):
    return tmp_path / "trace"


@pytest.mark.parametrize("name", ["labels/page.html", "./mine", "mine.py.txt", "notes.PY"])
def test_only_a_name_that_ends_in_py_is_a_file(tmp_path, monkeypatch, trace, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels").mkdir()
    (tmp_path / name).write_text(MINE.format(trace=str(trace)))
    for given in (name, str(tmp_path / name)):
        source = read_source(given, Setup())
        assert source.file is None
        with pytest.raises(UsageError, match="there is no"):
            source.make()
    assert not trace.exists()


def test_a_python_file_is_run(tmp_path, trace):
    (tmp_path / "mine.py").write_text(MINE.format(trace=str(trace)))
    read_source(str(tmp_path / "mine.py"), Setup()).make()
    assert trace.read_text() == "ran"


@pytest.mark.parametrize("name", ["a/b", "mine.py", "/depth-first", "depth-first.py", "nonsense"])
def test_what_is_or_may_be_a_file_is_not_installed(name):
    assert not is_installed(name)
    assert is_installed("depth-first")
