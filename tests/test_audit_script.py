"""What `make audit` makes of the answers of pip-audit and npm."""

import importlib.util
import json
from pathlib import Path

import pytest

_PATH = Path(__file__).parents[1] / "scripts" / "audit.py"


@pytest.fixture(scope="module")
def audit():
    spec = importlib.util.spec_from_file_location("audit", _PATH)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["audit"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["audit"]


def test_a_hole_is_a_finding(audit):
    hole = {"id": "PYSEC-2026-1", "fix_versions": ["2.0"], "aliases": [], "description": ""}
    packages = [
        {"name": "good", "version": "1.0", "vulns": []},
        {"name": "bad", "version": "1.9", "vulns": [hole]},
    ]
    verdict = audit.read_pip_audit(json.dumps({"dependencies": packages, "fixes": []}), "")
    assert verdict.findings == ("bad 1.9: PYSEC-2026-1, mended in 2.0",)
    npm = {"vulnerabilities": {"d3-color": {"name": "d3-color", "severity": "high"}}}
    assert audit.read_npm_audit(json.dumps(npm), "").findings == ("d3-color: high",)


def test_no_hole_is_no_finding(audit):
    packages = [{"name": "good", "version": "1.0", "vulns": []}]
    assert audit.read_pip_audit(json.dumps({"dependencies": packages}), "") == audit.Verdict()
    assert audit.read_npm_audit('{"vulnerabilities": {}}', "") == audit.Verdict()


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("", "ERROR:pip_audit: Max retries exceeded: Failed to establish a new connection"),
        ('{"dependencies": [{"name": "a", "skip_reason": "Dependency not found"}]}', ""),
    ],
)
def test_a_service_that_cannot_be_asked_is_not_a_clean_bill(audit, output, complaint):
    verdict = audit.read_pip_audit(output, complaint)
    assert verdict.no_answer
    assert verdict.findings == ()


def test_npm_without_its_service_has_no_answer(audit):
    said = '{"message": "405 Method Not Allowed", "error": {}}'
    verdict = audit.read_npm_audit(said, "npm error audit endpoint returned an error")
    assert verdict.no_answer == "npm error audit endpoint returned an error"


def test_an_error_of_ours_is_not_taken_for_the_network(audit):
    with pytest.raises(SystemExit, match="No such option"):
        audit.read_pip_audit("", "usage: pip-audit\nNo such option: --foo")
