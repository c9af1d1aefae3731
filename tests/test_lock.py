"""The lock files hold what pyproject.toml asks for, with hashes, and name no package index."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"]
DEV = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"]["browser"],
    *PROJECT["project"]["optional-dependencies"]["learn"],
    *PROJECT["build-system"]["requires"],
    *GROUPS["dev"],
    *GROUPS["model"],
]
LOCKS = {"dev.txt": DEV, "audit.txt": GROUPS["audit"]}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def read_lock(name: str) -> list[tuple[Requirement, list[str]]]:
    """Return what a lock file pins, each with its hashes."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    entries = [line for line in text.replace("\\\n", " ").splitlines() if line[:1] not in ("", "#")]
    return [
        (Requirement(entry.split("--hash")[0]), re.findall(r"--hash=(\S+)", entry))
        for entry in entries
    ]


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_is_one_version_with_hashes(name):
    for pinned, hashes in read_lock(name):
        assert re.fullmatch(r"==[^*,]+", str(pinned.specifier)), pinned
        assert pinned.url is None
        assert hashes, pinned
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", each) for each in hashes), pinned


@pytest.mark.parametrize("name", LOCKS)
def test_no_index_and_no_host_is_named(name):
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert not re.search(r"://|index|@|\.(org|com|net|io)\b", text)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", LOCKS)
def test_what_is_asked_for_is_pinned_within_its_bounds_on_every_python(name, python):
    surroundings = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }
    pins = {
        canonicalize_name(pinned.name): next(iter(pinned.specifier)).version
        for pinned, _ in read_lock(name)
        if pinned.marker is None or pinned.marker.evaluate(surroundings)
    }
    for asked in map(Requirement, LOCKS[name]):
        if asked.marker is None or asked.marker.evaluate(surroundings):
            version = pins.get(canonicalize_name(asked.name))
            assert version, f"{asked} is not in requirements/{name}: run `make lock`"
            assert asked.specifier.contains(version, prereleases=True), asked


def test_nothing_is_locked_that_fetches_models_from_the_network():
    names = {canonicalize_name(pinned.name) for pinned, _ in read_lock("dev.txt")}
    assert names & {"huggingface-hub", "requests", "httpx", "sentence-transformers"} == set()


def test_make_installs_nothing_past_the_lock():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install (.*)", text)
    assert len(installs) == 2
    assert all("--no-deps" in each for each in installs)
    assert "--require-hashes -r requirements/dev.txt" in installs[0]
    assert installs[1].endswith("--no-build-isolation --editable .")


@pytest.mark.parametrize("kind", ["md", "py"])
def test_nobody_is_told_to_install_telusur_by_a_name_that_is_not_ours(kind):
    """The name is on no package index: whoever registers it would own those who follow."""
    listed = subprocess.run(
        ["git", "ls-files", f"*.{kind}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wrong = [
        path
        for path in listed.stdout.split()
        if re.search(r"pip install [^\n`]*\btelusur\b", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert wrong == []
