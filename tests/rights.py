"""Real missing rights for tests, also for root, whom the modes of files do not stop."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_VERSION_3 = 0x20080522
_BYPASS = 0b1110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
# Before a command: it runs as the same user, and modes count for root too.
WITHOUT_BYPASS = ("setpriv", "--inh-caps=-dac_override,-dac_read_search,-fowner",
                  "--bounding-set=-dac_override,-dac_read_search,-fowner")  # fmt: skip


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Caps(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def modes_count() -> Iterator[None]:
    """Within the block the modes of files count, though root runs the tests.

    It holds for this thread and those it starts.
    """
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, caps = _Header(_VERSION_3, 0), (_Caps * 2)()
    assert libc.capget(ctypes.byref(header), caps) == 0
    before = caps[0].effective
    caps[0].effective = before & ~_BYPASS
    assert libc.capset(ctypes.byref(header), caps) == 0
    try:
        yield
    finally:
        caps[0].effective = before
        assert libc.capset(ctypes.byref(header), caps) == 0


@contextmanager
def read_only(directory: Path, *, files: bool = True) -> Iterator[None]:
    """Take away the right to write a directory and all below it; files only if asked."""
    found = [directory, *directory.rglob("*")]
    modes = {path: path.lstat().st_mode for path in found if not path.is_symlink()}
    for path, mode in modes.items():
        if files or path.is_dir():
            path.chmod(mode & ~0o222)
    try:
        with modes_count():
            yield
    finally:
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)


@contextmanager
def unreadable(*paths: Path) -> Iterator[None]:
    """Take away all rights to some files or directories."""
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0)
    try:
        with modes_count():
            yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def contents(directory: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a directory."""
    found = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}
