"""Where collections are kept: the only code that names a product."""

import re
from pathlib import Path

from telusur.errors import UsageError
from telusur.store.store import Store

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


def open_store(address: str | Path) -> Store:
    """Open the store of a collection by its address: a directory."""
    from telusur.backends.embedded.store import EmbeddedStore

    return EmbeddedStore(_directory_at(address))


def create_store(address: str | Path) -> None:
    """Make a collection at an address, if there is none."""
    from telusur.backends.embedded.store import create_collection

    create_collection(_directory_at(address))


def is_store(address: str | Path) -> bool:
    """Tell whether there is a collection at an address."""
    from telusur.backends.embedded.store import is_collection

    return is_collection(_directory_at(address))


def _directory_at(address: str | Path) -> Path:
    """Return the directory that an address names; addresses of servers are not known yet."""
    scheme = _SCHEME.match(str(address))
    if scheme is not None:
        raise UsageError(
            f"There is no backend for {scheme[1]}://; a collection is a directory: name its path."
        )
    return Path(address)


def engine_versions() -> dict[str, str]:
    """Return the versions of the engines that are not Python packages."""
    import sqlite3

    return {"sqlite": sqlite3.sqlite_version}
