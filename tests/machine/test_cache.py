import os
from pathlib import Path

import pytest

from telusur.machine.cache import cache_directory


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_it_lies_in_the_home_of_its_user_and_is_private(home):
    assert cache_directory() == home / ".cache" / "telusur"
    assert (home / ".cache" / "telusur").stat().st_mode & 0o777 == 0o700


def test_the_user_may_name_another_place(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "elsewhere"))
    assert cache_directory() == home / "elsewhere" / "telusur"


def test_a_relative_place_does_not_count(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    assert cache_directory() == home / ".cache" / "telusur"
    assert not Path("elsewhere").exists()


def test_where_none_can_be_made_there_is_none(home):
    (home / ".cache").write_text("a file")
    assert cache_directory() is None


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_files_of_others_are_never_taken_for_ours(home, mode):
    cache_directory().chmod(mode)
    assert cache_directory() is None


def test_a_link_to_another_place_is_not_followed(home):
    (home / "other").mkdir()
    (home / ".cache").mkdir()
    (home / ".cache" / "telusur").symlink_to(home / "other")
    assert cache_directory() is None


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="needs a second user")
def test_a_directory_of_another_user_is_not_used(home):
    os.chown(cache_directory(), 12345, 12345)
    assert cache_directory() is None
