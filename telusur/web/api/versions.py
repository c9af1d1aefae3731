"""The versions of Telusur and the libraries it uses."""

import platform
from importlib.metadata import PackageNotFoundError, version

from telusur.shelf import versions_of_engines
from telusur.version import __version__

_LIBRARIES = ("jinja2", "pycurl", "starlette", "tantivy", "turbohtml", "uvicorn")


def read_versions() -> dict[str, str]:
    """Return the versions by name, Telusur first."""
    found = {
        "telusur": __version__,
        "python": platform.python_version(),
        **versions_of_engines(),
    }
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
