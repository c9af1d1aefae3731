"""What the files of the working directory may decide, and what they may not."""

import os
import subprocess
import sys

import pytest

from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import settings_of
from tests.sites import page, serving

CRAWL = ("crawl", "http://a.example/", "--to", "c")
CODE = "open('ran', 'w').close()\ndef visit(page): pass\n"
VALUES = {"insecure": "yes", "strategy": "./mine.py", "like": "mine.txt", "hooks": "x.txt"}
DANGEROUS = [row for table in (CrawlSettings, ServeSettings) for row in settings_of(table)
             if row.not_in]  # fmt: skip


def is_of(row, table):
    return row.name in {one.name for one in settings_of(table)}


def command_for(row, tmp_path):
    return CRAWL if is_of(row, CrawlSettings) else ("serve", "--in", tmp_path)


def test_all_that_runs_code_weakens_tls_or_names_files_is_on_the_list():
    names = {row.name for row in DANGEROUS}
    assert names >= {"hooks", "strategy", "browser", "insecure", "ca_bundle", "proxy", "cookies"}


@pytest.mark.parametrize("row", DANGEROUS, ids=lambda row: row.name)
def test_an_env_file_may_not_decide_what_is_dangerous(telusur, tmp_path, row):
    (tmp_path / "x.txt").write_text(CODE)
    (tmp_path / ".env").write_text(f"{row.env}={VALUES.get(row.name, 'x.txt')}\n")
    ran = telusur(*command_for(row, tmp_path))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f".env, {row.env}: a file in the working directory may not {row.danger}" in ran.err
    assert row.flag in ran.err
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    "line", ['hooks = "x.txt"', 'strategy = "./mine.py"', 'browser = "x"', "insecure = true"]
)
def test_telusur_toml_may_not_name_code_nor_weaken_tls(telusur, tmp_path, line):
    for name in ("x.txt", "mine.py"):
        (tmp_path / name).write_text(CODE)
    (tmp_path / "telusur.toml").write_text(f"[crawl]\n{line}\n")
    for words in (CRAWL, ("serve", "--in", tmp_path), ("extract", "http://a.example/")):
        ran = telusur(*words)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "telusur.toml, " in ran.err
        assert "a file in the working directory may not" in ran.err
    assert not (tmp_path / "ran").exists()


def test_what_is_not_dangerous_may_stand_in_the_files(telusur, tmp_path):
    lines = "TELUSUR_STRATEGY=breadth-first\nTELUSUR_INSECURE=no\nTELUSUR_LIKE=http://a.example/\n"
    (tmp_path / ".env").write_text(lines)
    (tmp_path / "telusur.toml").write_text('[crawl]\nproxy = "nonsense"\ninsecure = false\n')
    ran = telusur("crawl", "--to", "c")
    assert "--proxy: 'nonsense' is not a proxy" in ran.err


def test_what_is_typed_or_set_in_the_shell_counts(telusur, tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("TELUSUR_HOOKS=theirs.py\n")
    (tmp_path / "mine.py").write_text(CODE)
    with serving({"/": page("Home")}) as site:
        words = ("crawl", site.url("/"), "--allow-private", "--delay", "0", "--no-index")
        assert telusur(*words, "--to", "a", "--hooks", "mine.py").code == 0
        assert (tmp_path / "ran").exists()
        monkeypatch.setenv("TELUSUR_HOOKS", "mine.py")
        assert telusur(*words, "--to", "b").code == 0


def test_no_process_of_a_crawl_takes_modules_from_the_working_directory(tmp_path):
    """In real processes: the owner, parser, indexer, and a search by pattern."""
    for name in ("isal", "pycurl", "tantivy", "click", "turbohtml", "numpy", "sqlite3", "json"):
        (tmp_path / f"{name}.py").write_text(f"open('ran-{name}', 'w')\nraise ImportError\n")
    program = os.path.join(os.path.dirname(sys.executable), "telusur")
    with serving({"/": page("Home", links=["/a"]), "/a": page("Away")}) as site:
        ran = subprocess.run(
            [program, "crawl", site.url("/"), "--to", "c", "--allow-private", "--delay", "0"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    script = (
        "import telusur, threading\n"
        "with telusur.open('c') as collection:\n"
        "    search = lambda: print(collection.search_columns('H.me', regex=True).total)\n"
        "    thread = threading.Thread(target=search); thread.start(); thread.join()\n"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.stdout == "1\n", found.stderr
    assert not list(tmp_path.glob("ran-*"))


@pytest.mark.parametrize("name", ["TELUSUR_PAGEZ", "TELUSUR_Pages", "TELUSUR_NO_INDEX"])
def test_a_misspelt_variable_is_named_with_what_was_meant(telusur, tmp_path, monkeypatch, name):
    monkeypatch.setenv(name, "3")
    in_shell = telusur(*CRAWL)
    monkeypatch.delenv(name)
    (tmp_path / ".env").write_text(f"{name}=3\nOTHER_PROGRAM=1\n")
    in_file = telusur(*CRAWL)
    for ran, where in ((in_shell, "the environment variable"), (in_file, ".env,")):
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert f"{where} {name}: there is no such setting" in ran.err
    if name == "TELUSUR_PAGEZ":
        assert "did you mean TELUSUR_PAGES?" in in_shell.err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("name", ["CRAWLER_DURATION_SECONDS", "TELUSUR_SECONDS"])
def test_a_wrong_value_names_the_variable_that_was_set(telusur, tmp_path, monkeypatch, name):
    monkeypatch.setenv(name, "soon")
    assert f"the environment variable {name}: 'soon' is not a number" in telusur(*CRAWL).err
    monkeypatch.delenv(name)
    (tmp_path / ".env").write_text(f"{name}=soon\n")
    assert f".env, {name}: 'soon' is not a number" in telusur(*CRAWL).err


def test_a_line_that_is_none_is_not_repeated(telusur, tmp_path):
    (tmp_path / ".env").write_text("KEY=-----BEGIN\nS3CRETS3CRET\n")
    ran = telusur(*CRAWL)
    assert ran.code == 2
    assert ".env, line 2" in ran.err
    assert "S3CRET" not in ran.err
