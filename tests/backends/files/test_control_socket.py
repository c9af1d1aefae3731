"""The control socket: for its user alone, found again when its path is long, never in the way."""

import os
import stat

import pytest

from telusur.backends.files.control_socket import ELSEWHERE, SOCKET, ask, listen, remove


@pytest.fixture(params=["short", "long-" * 25])
def directory(request, tmp_path, monkeypatch):
    """A directory with room for a socket's path, and one without."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path.relative_to(tmp_path) / request.param
    path.mkdir()
    return path


def place_of(directory):
    elsewhere = directory / ELSEWHERE
    return type(directory)(elsewhere.read_text()) if elsewhere.exists() else directory / SOCKET


def test_only_its_user_may_use_it(directory):
    with listen(directory):
        place = place_of(directory)
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        if place.parent != directory:
            assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    remove(directory)


def test_nothing_is_left_behind(directory):
    with listen(directory):
        place = place_of(directory)
    remove(directory)
    assert list(directory.iterdir()) == []
    assert not place.exists()
    remove(directory)


def test_a_stale_socket_is_replaced(directory):
    listen(directory).close()
    first = place_of(directory)
    assert ask(directory, "status") is None
    with listen(directory):
        assert place_of(directory).exists()
        assert first == place_of(directory) or not first.exists()
    remove(directory)


def test_where_nobody_listens_nobody_answers(directory):
    assert ask(directory, "status") is None
    (directory / ELSEWHERE).write_text("/nowhere/at/all/control.sock")
    assert ask(directory, "status") is None
    (directory / ELSEWHERE).write_text("/" + "x" * 300)
    assert ask(directory, "status") is None


def test_removing_touches_no_other_files(directory):
    (directory / "mine").mkdir()
    (directory / "mine" / "letter").write_text("dear")
    (directory / ELSEWHERE).write_text(os.path.abspath(directory / "mine" / "letter"))
    remove(directory)
    assert (directory / "mine" / "letter").read_text() == "dear"
