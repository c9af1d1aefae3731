"""The user's cache directory, for results that can be computed again."""

import os
import stat
from pathlib import Path


def cache_directory() -> Path | None:
    """Return Telusur's cache directory; None if there is none that only its owner can write.

    It lies where the XDG Base Directory Specification says: below `$XDG_CACHE_HOME` or `~/.cache`.
    """
    try:
        above = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(above) if os.path.isabs(above) else Path.home() / ".cache"
        directory = base / "telusur"
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return directory if _is_private(directory) else None
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        return None


def _is_private(cache: Path) -> bool:
    """Tell whether nobody else can put files here, which we would read as ours."""
    found = cache.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows keeps the files of a user apart
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
