"""`python -m bench.site_learning` on a made-up site: labels only measure."""

import json
import lzma
import sys

import pytest

from bench.site_learning import main
from tests.extract.site.pages import FRAME, page, words


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    directory = tmp_path_factory.mktemp("data")
    (directory / "extraction").mkdir()
    for name, count in (("gull", 8), ("small", 2)):
        with lzma.open(directory / "extraction" / f"{name}.jsonl.xz", "wt") as file:
            for number in range(count):
                text = f"{words(number)}\n{words(number + 500)}"
                row = {"id": f"{name}{number}", "html": page(number), "site": f"{name}.example",
                       "text": text, "title": f"Story {number} of the coast",
                       "labels": ["text", "title"]}  # fmt: skip
                file.write(json.dumps(row) + "\n")
    return directory


def figures_of(text, beginning):
    line = next(line for line in text.split("\n") if line.startswith(beginning))
    return [float(cell) for cell in line.split() if "." in cell and cell != "."]


def test_a_site_of_which_more_pages_were_seen_is_read_better(data, tmp_path, monkeypatch, capsys):
    options = ["bench.site_learning", str(data), str(tmp_path), "--pages-seen", "1,6"]
    monkeypatch.setattr(sys, "argv", options)
    assert main() == 0
    shown = capsys.readouterr().out
    assert "small" not in shown  # two pages are no site
    precision, recall, _, _, known_precision, known_recall, *_ = figures_of(shown, "gull")
    assert known_precision > precision
    assert known_precision > 0.99
    assert known_recall >= recall
    curve = shown[shown.index("as it is") :]
    assert figures_of(curve, "0 ") == figures_of(curve, "1 ")
    assert figures_of(curve, "6 ")[0] > figures_of(curve, "1 ")[0]
    assert FRAME not in shown
