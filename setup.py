"""The compiled part of Telusur; everything else about the package is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

ROOMS = ("crawl", "extract", "language")
# Foreign bytes are read here: a mistake shall end the process rather than be used.
HARDENED = ("-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong")


def compiled(room: str) -> Extension:
    """Return the compiled part of a room."""
    sources = Path("telusur", room, "native")
    return Extension(
        f"telusur.{room}._native",
        sorted(map(str, sources.glob("*.c"))),
        depends=sorted(map(str, Path("telusur").glob("*/native/*.h"))),
        extra_compile_args=["-O3", *HARDENED],
        optional=True,  # without a compiler Telusur is installed all the same, and slower
    )


setup(ext_modules=[compiled(room) for room in ROOMS])
