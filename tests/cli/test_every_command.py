"""Every command, and every option of every command, with what a user may do wrong.

One clear sentence and exit code 2, or an answer; never a traceback, and nothing is changed.
"""

import re
import traceback
from dataclasses import replace

import click
import pytest

from telusur.cli import COMMANDS
from telusur.settings import CrawlSettings, HostSettings, ServeSettings
from telusur.settings.reading import settings_of
from tests.cli.every_command import (
    STARTS_SOMETHING,
    WRITERS,
    World,
    line_of,
    option_names,
    params_of,
    reads_collection,
)
from tests.rights import contents, read_only, unreadable

READERS = [name for name in COMMANDS if reads_collection(name)]
ROWS = {row.flag: row for table in (CrawlSettings, ServeSettings) for row in settings_of(table)}
NOT_NUMBERS = ("nan", "inf", "-inf", "1e308", "nine", "", " ", "\x1b[31m", "9" * 5000)
NUMBERS = ("-1", "0", "1", "9" * 30, "0.5", "-0.0")
# The system passes no NUL; names may be any other bytes.
NO_PLACES = ("/", "/dev/null/x", "x" * 5000)
NAMES = (*NO_PLACES, "", "no-such-file", ".", "\x1b[31m\n", "\udcff")
TEXTS = ("", "\x1b[31m\x07\n", "\udcff", "[", "\N{RIGHT-TO-LEFT OVERRIDE}x", "x" * 1_000_000)
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


def at_length(*values):
    """Return values that `make test` leaves out."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def plain(text):
    """Return text that a report of pytest can carry from one process to another."""
    return text.encode("utf-8", "backslashreplace").decode()


@pytest.fixture
def telusur(telusur, capsys):
    """Run the command line; what it raises is told in plain text."""

    def go(*arguments):
        ran, trouble = None, ""
        try:
            ran = telusur(*arguments)
        except Exception:
            trouble = plain(traceback.format_exc())
        if ran is None:  # outside of the block above: a report would carry what was raised there
            capsys.readouterr()
            pytest.fail(trouble, pytrace=False)
        return replace(ran, out=plain(ran.out), err=plain(ran.err))

    return go


@pytest.fixture
def world(small, small_copy, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<title>A page</title><p>Some text about a ferry.")
    return World(small_copy, small.url, page, tmp_path)


def is_fine(ran, *words):
    """One sentence and nothing else, or an answer."""
    assert ran.code in (0, 1, 2)
    assert "Traceback" not in ran.out + ran.err
    if ran.code == 2:
        says_one_sentence(ran, *words)


def says_one_sentence(ran, *words):
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("telusur: ")
    assert ran.err.count("\n") == 1, f"one line: {ran.err}"
    assert len(ran.err) < 1200, "short enough to be read"
    assert not _CONTROLS.search(ran.err)
    for word in words:
        assert word in ran.err


def lasting(directory):
    """What is in a collection, but for what readers leave beside its database."""
    passing = ("-shm", "-wal", ".lock")
    return {name: data for name, data in contents(directory).items() if not name.endswith(passing)}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_there_is_not(telusur, world, name):
    says_one_sentence(telusur(*line_of(name, world), "--no-such-option"), "--no-such-option")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "what", ["missing", "foreign", *at_length("file", "x" * 5000, "\x1b[1m\udcff")]
)
def test_what_is_no_collection(telusur, world, name, what):
    (world.elsewhere / "foreign").mkdir()
    (world.elsewhere / "foreign" / "letter.txt").write_text("dear")
    (world.elsewhere / "file").write_text("dear")
    line = line_of(name, world, without="--in")
    says_one_sentence(telusur(*line, "--in", what))
    assert contents(world.elsewhere / "foreign") == {"letter.txt": b"dear"}
    assert (world.elsewhere / "file").read_text() == "dear"


@pytest.mark.parametrize("name", sorted({*READERS, "crawl"} - {"serve"}))
def test_a_collection_that_may_only_be_read(telusur, world, name):
    before = contents(world.collection)
    with read_only(world.collection):
        ran = telusur(*line_of(name, world))
    if name in WRITERS:
        says_one_sentence(ran, "cannot be written")
    else:
        assert ran.code in (0, 1), ran.err
    assert "damaged" not in ran.err
    assert contents(world.collection) == before


@pytest.mark.parametrize("name", sorted({*READERS} - {"serve"}))
def test_a_collection_with_a_strange_name(telusur, world, name):
    strange = world.elsewhere / "a b\udcff\x1b[31m"  # not UTF-8, and it drives a terminal
    world.collection.rename(strange)
    ran = telusur(*line_of(name, replace(world, collection=strange)))
    if name in ("index", "reindex"):
        says_one_sentence(ran, "a name in UTF-8")
    assert ran.code in (0, 1) or name in WRITERS, ran.err
    assert not _CONTROLS.search(ran.err)
    assert not _CONTROLS.search(ran.out.replace("\t", " "))


@pytest.mark.parametrize(
    "part", ["collection.db", "index", *at_length("", "archive", "index/*", "archive/*")]
)
@pytest.mark.parametrize("name", sorted({*READERS, "crawl"} - {"serve"}))
def test_files_that_may_not_be_read(telusur, world, name, part):
    found = world.collection.glob(part) if "*" in part else [world.collection / part]
    before = lasting(world.collection)
    with unreadable(*found):
        ran = telusur(*line_of(name, world))
    if name == "join" and ran.code == 2:  # it had begun with the list of pages
        ran = replace(ran, out="")
    is_fine(ran)
    if part in ("collection.db", ""):
        says_one_sentence(ran)
    assert "delete" not in ran.err
    if name not in WRITERS:
        assert lasting(world.collection) == before


def what_it_takes(name, flag):
    """Return what kind of value an option takes."""
    (option,) = [param for param in params_of(name) if flag in param.opts]
    row = ROWS.get(flag)
    if option.is_flag:
        return "nothing"
    if isinstance(option.type, click.Choice) or (row and row.choices):
        return "choice"
    is_number = isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType))
    if is_number or (option.type is click.STRING and row and row.kind in (int, float)):
        return "number"
    is_file = isinstance(option.type, click.Path) or option.metavar in ("FILE", "DIR", "MODEL")
    return "name" if is_file else "text"


def place_of(name):
    return "--in" if name == "serve" else "--to"


def stopped_line(name, world, flag):
    """Return a line that goes no further than its settings, for commands that start something."""
    line = line_of(name, world, without=flag)
    if name not in STARTS_SOMETHING:
        return line
    nowhere = world.elsewhere / "a file"
    nowhere.write_text("no place for a collection")
    place = place_of(name)
    return [*line_of(name, world, without=place), *([] if flag == place else [place, str(nowhere)])]


def bad_values(name, flag, kind, world):
    """Return values for an option, the ones that make no sense at all first."""
    garbage = world.elsewhere / "garbage"
    garbage.write_bytes(bytes(range(256)) * 40)
    if kind == "nothing":
        return ("x",), ()
    if kind == "choice":
        return ("no-such-thing", "", "\x1b[31m", "x" * 1_000_000), ()
    if kind == "number":
        return NOT_NUMBERS, NUMBERS
    if flag == place_of(name) and name in STARTS_SOMETHING:
        return (), (*NO_PLACES, str(garbage))
    if kind == "name":
        return (), (*NAMES, str(garbage), str(world.elsewhere))
    return (), TEXTS


@pytest.mark.parametrize(("name", "flag"), option_names())
def test_bad_values_of_every_option(telusur, world, name, flag):
    kind = what_it_takes(name, flag)
    line = stopped_line(name, world, flag)
    senseless, doubtful = bad_values(name, flag, kind, world)
    for value in (*senseless, *doubtful):
        given = f"{flag}={value}"
        before = lasting(world.collection)
        ran = telusur(*line, given)
        try:
            is_fine(ran)
            if value in senseless:
                says_one_sentence(ran, flag)
            if ran.code == 2:
                assert lasting(world.collection) == before
        except AssertionError as error:
            raise AssertionError(
                f"{given[:80]!r} ended with {ran.code}: {ran.err[:300]}"
            ) from error


def test_every_number_of_the_table_has_bounds():
    for table in (CrawlSettings, HostSettings, ServeSettings):
        for row in settings_of(table):
            if row.kind in (int, float):
                assert row.minimum is not None, row.name
                assert row.maximum is not None, row.name
