import json
import sys
from dataclasses import asdict

import pytest

from telusur.extract.content.model import SHIPPED
from telusur.learn.engines import ENGINES
from tests.learn.drawn_sites import drawn_pages
from tests.learn.made_up_sites import made_up_pages


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "pages.jsonl"
    lines = [json.dumps(asdict(page)) for page in made_up_pages(sites=4, pages=3)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_tells_the_figures_of_an_engine(telusur, data):
    ran = telusur("evaluate", data, "--engine", "network", "--folds", "2")
    assert ran.code == 0
    table = ran.out.splitlines()
    assert table[0].startswith("new sites  label")
    assert table[2].split()[:2] == ["network", "content"]
    assert ran.err.splitlines()[:2] == ["reading pages ...", "network, by site ..."]
    assert "12 pages of 4 sites" in ran.err


def test_answers_in_json(telusur, data):
    ran = telusur("evaluate", data, "--engine", "clusters", "--json", "--pages", "6")
    scores, summary = map(json.loads, ran.out.splitlines())
    assert (scores["type"], scores["engine"], scores["by"]) == ("scores", "clusters", "page")
    assert scores["labels"]["content"]["blocks"]["f1"] == 1.0
    assert (summary["type"], summary["pages"], summary["sites"]) == ("summary", 6, 2)


@pytest.mark.slow
def test_prints_the_tables_of_the_source_by_one_command(telusur, data, monkeypatch):
    for name in set(ENGINES) - {"clusters", "network", "network-binary"}:
        monkeypatch.delitem(ENGINES, name)  # each has its own test; here it is about the tables
    ran = telusur("evaluate", data, "--source-tables", "--folds", "2")
    new, known = ran.out.split("\n\n")[:2]
    assert new.startswith("new sites")
    assert known.startswith("known sites")
    for name, engine in ENGINES.items():
        assert f"\n{name} " in known
        assert (f"\n{name} " in new) is not engine.needs_site


@pytest.mark.slow
def test_engines_go_by_what_a_browser_shows_and_draw_it_once(telusur, tmp_path, monkeypatch):
    path = tmp_path / "drawn.jsonl"
    lines = [json.dumps(asdict(page)) for page in drawn_pages(sites=3, pages=3)]
    path.write_text("\n".join(lines), encoding="utf-8")

    def content_f1(engine, *flags):
        ran = telusur("evaluate", path, "--engine", engine, "--folds", "3", "--json", *flags)
        scores, summary = map(json.loads, ran.out.splitlines())
        assert (ran.code, summary["pages"]) == (0, 9)
        return scores["labels"]["content"]["blocks"]["f1"], ran.err

    drawn, words = content_f1("svm", "--rendered", "kept")
    assert words.startswith("rendering pages ...")
    assert len(list((tmp_path / "kept").iterdir())) == 9
    monkeypatch.setenv("PATH", "")  # from here on there is no browser
    assert drawn == 1.0
    assert content_f1("svm")[0] < 0.7, "without a browser all blocks look the same"
    for engine in ("network-css", "clusters"):
        assert content_f1(engine, "--rendered", "kept")[0] > content_f1(engine)[0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "either --source-tables or one --engine"),
        (["--engine", "svm", "--source-tables"], "either --source-tables or one --engine"),
        (["--engine", "magic"], "--engine: 'magic' is not one of telusur, clusters, network,"),
        (["--engine", "svm", "--pages", "0"], "--pages: 0 is too few"),
        (["--engine", "svm", "--folds", "1"], "1 is too few"),
        (["--engine", "clusters", "--by", "site"], "use --by page"),
        (["--engine", "telusur", "--rendered", "kept"], "not for telusur"),
        (["--engine", "svm", "--rendered", "pages.jsonl"], "is a file"),
        (["--source-tables", "--by", "site"], "leave out --by"),
    ],
)
def test_wrong_use_is_one_sentence(telusur, data, arguments, sentence):
    ran = telusur("evaluate", data, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err


@pytest.mark.parametrize("flags", [["--source-tables"], ["--engine", "svm"]])
def test_without_the_library_it_says_what_to_install(telusur, data, monkeypatch, flags):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    ran = telusur("evaluate", data, *flags)
    assert (ran.code, ran.out) == (2, "")
    sentence = f"{' '.join(flags)} needs scikit-learn; in a clone of Telusur run"
    assert ran.err == f"telusur: {sentence} `pip install '.[learn]'`.\n"


def test_our_own_model_needs_no_library(telusur, data, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert telusur("evaluate", data, "--engine", "telusur", "--model", SHIPPED).code == 0


def test_clusters_need_no_library(telusur, data, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    ran = telusur("evaluate", data, "--engine", "clusters", "--folds", "2")
    assert (ran.code, "clusters" in ran.out) == (0, True)


def test_data_that_is_not_there_or_tells_nothing(telusur, tmp_path):
    assert telusur("evaluate", tmp_path / "none.jsonl", "--engine", "svm").code == 2
    (tmp_path / "empty.jsonl").write_text('{"html": "<p>words"}\n')
    ran = telusur("evaluate", tmp_path / "empty.jsonl", "--engine", "svm")
    assert (ran.code, ran.out) == (1, "")
    assert "no page here has both a true text" in ran.err
