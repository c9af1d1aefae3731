"""The compiled part of Telusur; everything else about the package is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("telusur/extract/native")

setup(
    ext_modules=[
        Extension(
            "telusur.extract._native",
            sorted(map(str, NATIVE.glob("*.c"))),
            depends=[str(NATIVE / "native.h")],
            extra_compile_args=["-O3"],
            optional=True,  # without a compiler Telusur is installed all the same, and slower
        )
    ]
)
