"""The example of docs/backends.md, run as a reader would run it, without plugins of pytest."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import find_packages

from telusur import testing

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "backends.md").read_text(encoding="utf-8")
((NAME, CODE),) = re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_example_passes(tmp_path):
    (tmp_path / NAME).write_text(CODE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", NAME],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d{3} passed in", done.stdout, re.M), done.stdout


def test_the_page_names_every_suite():
    suites = {name for name in testing.__all__ if name.endswith("Suite")}
    assert {suite for suite in suites if suite not in PAGE} == set()


def test_the_suites_ship_with_the_package():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rules = config["tool"]["setuptools"]["packages"]["find"]
    packages = set(find_packages(str(ROOT), **rules))
    assert {"telusur.store", "telusur.memory", "telusur.testing"} <= packages
    assert "telusur.language.translation" in packages
