"""The compiled parts, built once more with AddressSanitizer and UBSan, beside the others."""

import importlib.abc
import importlib.machinery
import importlib.util
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
ROOMS = ("crawl", "extract", "language")
FLAGS = (
    *("-shared", "-fPIC", "-O1", "-g", "-fwrapv", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
SANITIZERS = ("libasan.so", "libubsan.so")


def compiler() -> list[str]:
    """Return the compiler that Python was built with."""
    return shlex.split(sysconfig.get_config_var("CC") or "cc")[:1]


def build() -> None:
    """Compile what is older than its sources; raises CalledProcessError or OSError."""
    headers = list((ROOT / "telusur").glob("*/native/*.h"))
    BUILD.mkdir(parents=True, exist_ok=True)
    for room in ROOMS:
        sources = sorted((ROOT / "telusur" / room / "native").glob("*.c"))
        target = BUILD / f"{room}.so"
        newest = max(path.stat().st_mtime for path in (*sources, *headers, Path(__file__)))
        if not target.exists() or target.stat().st_mtime < newest:
            include = f"-I{sysconfig.get_path('include')}"
            command = [*compiler(), *FLAGS, include, *map(str, sources), "-o", str(target)]
            subprocess.run(command, check=True)


def environment() -> dict[str, str]:
    """Return what a process needs that loads these parts."""
    found = [
        subprocess.run(
            [*compiler(), f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in SANITIZERS
    ]
    return {
        "LD_PRELOAD": " ".join(path for path in found if Path(path).is_absolute()),
        # Python keeps memory to its end, which is no leak; and a wrong length is ours to refuse.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "OPENBLAS_NUM_THREADS": "1",
    }


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        parts = fullname.split(".")
        if len(parts) != 3 or parts[0] != "telusur" or parts[2] != "_native":
            return None
        file = str(BUILD / f"{parts[1]}.so")
        loader = importlib.machinery.ExtensionFileLoader(fullname, file)
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


def use() -> None:
    """Let `telusur.*._native` be the parts that were built here."""
    sys.meta_path.insert(0, _Finder())
