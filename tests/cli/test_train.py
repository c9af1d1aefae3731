"""`telusur label`, `train` and `evaluate` as a person would use them on a new site."""

import json

import pytest

from telusur.extract.content.model import load_model
from tests.learn.test_training import made_up_page


@pytest.fixture
def data(tmp_path):
    pages = [made_up_page(number) for number in range(44)]
    rows = [
        {"id": each.id, "html": each.html, "site": each.site, "text": each.text,
         "page_type": "article", "title": "Page"}
        for each in pages
    ]  # fmt: skip
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_a_model_is_trained_judged_and_used(telusur, tmp_path, data):
    ran = telusur(
        "train", "data.jsonl", "--out", "my.npz", "--folds", "2", "--fold-models", "folds",
        "--epochs", "3", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    figures = json.loads(ran.out.splitlines()[0])
    assert figures["type"] == "figures"
    assert 0 < figures["bag_of_words"]["all"] <= 1
    about = load_model(tmp_path / "my.npz").about
    assert (about["data"], about["pages"], about["sites"]) == ("data.jsonl", 44, 44)
    assert about["figures"]["bag_of_words"] == figures["bag_of_words"]
    again = telusur("evaluate", "data.jsonl", "--fold-models", "folds", "--json")
    assert json.loads(again.out.splitlines()[0]) == figures
    held_back = [load_model(path).about["held_back"] for path in (tmp_path / "folds").iterdir()]
    assert len(set(held_back[0]) | set(held_back[1])) == 44
    (tmp_path / "page.html").write_text(made_up_page(99).html)
    assert telusur("extract", "page.html", "--model", "my.npz").code == 0


def test_pages_are_also_learned_in_old_markup_and_other_languages(telusur, tmp_path, data):
    course = ["--epochs", "1", "--old-markup", "1", "--other-languages", "0.5"]
    ran = telusur("train", "data.jsonl", "--out", "my.npz", *course)
    assert ran.code == 0, ran.err
    about = load_model(tmp_path / "my.npz").about
    assert (about["course"]["old_markup"], about["course"]["other_languages"]) == (1.0, 0.5)
    course = ["--epochs", "1", "--old-markup", "0", "--other-languages", "0"]
    ran = telusur("train", "data.jsonl", "--out", "plain.npz", *course)
    plain, rewritten = (load_model(tmp_path / name) for name in ("plain.npz", "my.npz"))
    assert (plain.weights["out.w"] != rewritten.weights["out.w"]).any()


def test_a_few_corrected_pages_teach_the_shipped_model(telusur, tmp_path):
    for number in range(5):  # an odd number: one batch has a single page
        (tmp_path / f"{number}.html").write_text(made_up_page(number).html)
    names = [f"{number}.html" for number in range(5)]
    ran = telusur("label", *names, "--to", "sheets")
    assert ran.code == 0, ran.err
    sheets = [tmp_path / line for line in ran.out.splitlines()]
    for number, sheet in enumerate(sheets):
        wanted = made_up_page(number).text
        rows = sheet.read_text().splitlines()
        rows[1:] = [
            f"{'content' if row[9:] == wanted else 'other':<9}{row[9:]}" for row in rows[1:]
        ]
        sheet.write_text("\n".join(rows))
    ran = telusur("train", "sheets", "--onto", "shipped", "--out", "my.npz")
    assert ran.code == 0, ran.err
    page = made_up_page(50)
    (tmp_path / "new.html").write_text(page.html)
    rows = telusur("extract", "new.html", "--model", "my.npz", "--blocks", "--json").out
    labels = {row["text"]: row["label"] for row in map(json.loads, rows.splitlines())}
    assert labels.pop(page.text) == "content"
    (other,) = [label for text, label in labels.items() if text.endswith("50 1.")]
    assert other == "other", "what stands in the other box was labelled so"


def test_each_source_is_tested_by_a_model_that_never_saw_it(telusur, tmp_path, data):
    (tmp_path / "other.jsonl").write_text(data.read_text().replace(".example", ".test"))
    ran = telusur("evaluate", "data.jsonl", "other.jsonl", "--engine", "telusur", "--by", "source",
                  "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    rows = [json.loads(row) for row in ran.out.splitlines()]
    sources = {row["name"]: row for row in rows if row["type"] == "source"}
    assert sorted(sources) == ["data", "other"]
    assert all(row["pages"] == 44 for row in sources.values())
    assert "training without data" in ran.err
    assert "training without other" in ran.err


def test_pages_without_text_are_learned_from_what_witnesses_found(telusur, tmp_path, data):
    pages = [made_up_page(number) for number in range(50, 60)]
    rows = [{"id": each.id, "html": each.html, "site": each.site} for each in pages]
    (tmp_path / "more.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = [{"source": "more", "id": each.id, "texts": [each.text, each.text]} for each in pages]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, said)))
    ran = telusur("train", "data.jsonl", "more.jsonl", "--witnesses", "said.jsonl",
                  "--out", "my.npz")  # fmt: skip
    assert ran.code == 0, ran.err
    about = load_model(tmp_path / "my.npz").about
    assert about["data"] == "data.jsonl, more.jsonl"
    assert about["sources"]["data"] == 44
    assert 0 < about["sources"]["more"] <= 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["train", "data.jsonl", "--out", "m.npz", "--witnesses", "none"], "cannot be read"),
        (["evaluate", "data.jsonl", "--engine", "telusur", "--by", "source"], "too few"),
        (["evaluate", "data.jsonl", "--engine", "telusur", "--by", "page"], "other engines"),
        (["evaluate", "data.jsonl", "--engine", "svm", "--by", "source"], "only with --engine"),
        (["train", "few", "--out", "m.npz"], "too few"),
        (["train", "data.jsonl", "--out", "nowhere/m.npz"], "cannot be written"),
        (["train", "data.jsonl", "--out", "m.npz", "--onto", "none.npz"], "no such file"),
        (
            ["train", "data.jsonl", "--out", "m.npz", "--onto", "shipped", "--old-markup", "0.5"],
            "omit --onto",
        ),
        (["train", "data.jsonl", "--out", "m.npz", "--folds", "99"], "cannot be made"),
        (["train", "missing.jsonl", "--out", "m.npz"], "cannot be read"),
        (["evaluate", "data.jsonl", "--fold-models", "few"], "no models"),
        (
            ["evaluate", "data.jsonl", "--engine", "svm", "--model", "m.npz"],
            "work only with --engine",
        ),
        (["extract", "few/a.html", "--model", "data.jsonl"], "not a model"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(telusur, tmp_path, data, words, said):
    (tmp_path / "few").mkdir()
    (tmp_path / "few" / "a.html").write_text(made_up_page(1).html)
    (tmp_path / "few" / "a.jsonl").write_text(json.dumps({"html": "<p>x", "text": "x"}))
    ran = telusur(*words)
    assert ran.code == 2
    assert said in ran.err
    assert not (tmp_path / "m.npz").exists()


def test_a_page_without_text_cannot_be_labelled(telusur, tmp_path):
    (tmp_path / "empty.html").write_text("<script>1</script>")
    ran = telusur("label", "empty.html", "--to", "sheets")
    assert ran.code == 1
    assert "no blocks to label" in ran.err
    assert not (tmp_path / "sheets").exists()
