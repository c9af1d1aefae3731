"""Every command when its output is full, closed, or nobody reads it any more."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from telusur.cli import COMMANDS
from tests.cli.every_command import STARTS_SOMETHING, World, line_of

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
NAMES = [name for name in COMMANDS if name not in STARTS_SOMETHING]

# The first test waits for all commands, however busy the machine is.
pytestmark = pytest.mark.timeout(900)

# One process loads everything and splits for each line, so that no command has to be loaded again.
SPLITTER = """
import importlib, json, os, sys, traceback
from telusur.cli import COMMANDS, main
for name in COMMANDS:
    importlib.import_module(f"telusur.cli.{name}")
from telusur.extract.document import extract_document
extract_document(b"<title>A page</title><p>What reads pages is loaded once.", "http://a.example/")

def become(stdout):
    os.close(1)
    if stdout == "full":
        os.open("/dev/full", os.O_WRONLY)
    elif stdout == "unread":
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        for fd in {reading, writing} - {1}:
            os.close(fd)
    sys.stdout = None if stdout == "closed" else open(1, "w", closefd=False)

def child(line, stdout, errors):
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    become(stdout)
    sys.argv = ["telusur", *line]
    try:
        main()
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:
        traceback.print_exc()
        code = 99
    try:
        sys.stdout.flush()  # as Python does on its way out
    except OSError:
        code = 120
    os._exit(code)

errors = sys.argv[1]
results = []
for line, stdout in json.load(sys.stdin):
    pid = os.fork()
    if not pid:
        child(line, stdout, errors)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    results.append([line[0], stdout, code, open(errors, errors="replace").read()])
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def ran(small, tmp_path_factory):
    """Each command with each kind of output: its exit code and what it said."""
    place = tmp_path_factory.mktemp("streams")
    page = place / "page.html"
    page.write_text("<title>A page</title><p>Some text about a ferry.")
    collection = shutil.copytree(small.directory, place / "collection")
    lines = []
    for stdout in ("full", "closed", "unread"):
        elsewhere = place / stdout
        elsewhere.mkdir()
        world = World(collection, small.url, page, elsewhere)
        lines += [(line_of(name, world), stdout) for name in NAMES]
    done = subprocess.run(
        [sys.executable, "-c", SPLITTER, str(place / "errors")], input=json.dumps(lines),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True, text=True, check=False, cwd=place,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {(name, stdout): (code, said) for name, stdout, code, said in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def answers(ran):
    """The commands that have an answer on standard output at all."""
    return {
        name for name in NAMES if ran[name, "full"][0] == 2 and "output" in ran[name, "full"][1]
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_one_sentence(ran, name):
    code, said = ran[name, "full"]
    assert code in (0, 1, 2), said
    assert "Traceback" not in said
    if "No space left" in said:
        assert code == 2
        assert "telusur: The output cannot be written (No space left on device)" in said


def test_a_full_disk_is_noticed_by_all_that_answer(answers):
    """Else the test above would pass where nothing is written at all."""
    assert {"search", "why", "export", "graph", "show", "status", "verify", "join", "extract",
            "xml", "completion", "sitemap", "words", "terms", "audit"} <= answers  # fmt: skip


@pytest.mark.parametrize("stdout", ["closed", "unread"])
@pytest.mark.parametrize("name", NAMES)
def test_output_that_nobody_reads_is_no_fault(ran, name, stdout):
    code, said = ran[name, stdout]
    assert "Traceback" not in said
    assert "output" not in said
    if "telusur: " not in said:
        assert code in (0, 1), said


def test_export_to_a_full_disk_for_real(small):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, "export", "--format", "jsonl", "--in", str(small.directory)],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=100,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("telusur: The output cannot be written (No space left on device)")
    assert done.stderr.count("\n") == 1


def test_a_crawl_goes_on_where_its_talk_cannot_be_heard(tmp_path):
    from tests.sites import page, serving

    with (
        serving({"/": page("Home", links=["/a"]), "/a": page("A")}) as site,
        open("/dev/full", "w") as full,
    ):
        done = subprocess.run(
            [PROGRAM, "crawl", site.url(), "--to", "c", "--allow-private", "--delay", "0"],
            stdout=subprocess.PIPE, stderr=full, text=True, check=False, timeout=100, cwd=tmp_path,
        )  # fmt: skip
        assert (done.returncode, site.paths()) == (0, ["/", "/a"])
    assert done.stdout.startswith("2 pages")


def test_files_of_ours_do_not_take_the_place_of_a_closed_stream(small):
    """Else the answer of a search would be written into whatever was opened first."""
    done = subprocess.run(
        ["sh", "-c", 'exec 0<&- 1>&- 2>&-; "$@"', "sh", PROGRAM, "search", "ferry", "--in",
         str(small.directory)],
        check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0
