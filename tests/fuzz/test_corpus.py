"""Inputs that once failed, and those that fuzzing begins with, are read as they should."""

import os
import random
import subprocess
import sys

import pytest

from tests.fuzz import build
from tests.fuzz.mutation import LARGEST_BYTES, mutate, tokens_of
from tests.fuzz.targets import CORPUS, TARGETS, seeds_of


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "planted"])
def test_what_is_known_is_read(name):
    seeds = seeds_of(name)
    assert seeds != [b""]
    for data in seeds:
        TARGETS[name](data)


def test_the_corpus_is_small():
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < 300_000


def test_new_inputs_are_bounded_and_repeat_with_their_seed():
    seeds = seeds_of("page")
    tokens = tokens_of(seeds)
    one, other = random.Random("a"), random.Random("a")
    made = [mutate(seeds, tokens, one) for _ in range(200)]
    assert made == [mutate(seeds, tokens, other) for _ in range(200)]
    assert max(map(len, made)) <= LARGEST_BYTES
    assert len(set(made)) > 150


@pytest.mark.parametrize(
    "kind", ["crash", *(pytest.param(one, marks=pytest.mark.slow) for one in ("hang", "raise"))]
)
def test_what_fails_is_kept_and_told(kind, tmp_path):
    corpus = tmp_path / "corpus" / "planted"
    corpus.mkdir(parents=True)
    corpus.joinpath("1").write_bytes(b"fine")
    corpus.joinpath("2").write_bytes(f"{kind} on this".encode())
    code = (
        "import sys; from pathlib import Path; from tests.fuzz import __main__ as fuzz, targets\n"
        f"fuzz.FOUND = Path({str(tmp_path)!r}) / 'found'\n"
        "sys.exit(fuzz.main())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "--seconds", "5", "planted"],
        env={**os.environ, "TELUSUR_FUZZ_CORPUS": str(tmp_path / "corpus"),
             "TELUSUR_FUZZ_HANG_SECONDS": "1"},
        cwd=build.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (kept,) = (tmp_path / "found").iterdir()
    assert kept.read_bytes() == f"{kind} on this".encode()
    assert ran.returncode == 1
    assert f"FAILED {kept}" in ran.stdout
