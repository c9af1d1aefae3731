"""Which versions of Telusur and of the libraries under it are running."""

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version

import telusur

_LIBRARIES = ("jinja2", "selectolax", "starlette", "tantivy", "uvicorn")


def read_versions() -> dict[str, str]:
    """Return the versions by name, Telusur first."""
    found = {
        "telusur": telusur.__version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
