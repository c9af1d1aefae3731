"""Look up known security holes in the packages that are locked, Python's and npm's.

    python scripts/audit.py

Exit code 1 when there is one. When an advisory service cannot be reached, that is said, and is no
failure: nothing is known then, neither good nor bad.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REQUIREMENTS = Path("requirements")
_UNREACHABLE = re.compile(
    r"connection|timed? ?out|resol|unreachable|network|proxy|service error|HTTPError|4\d\d|5\d\d"
    r"|ENOTFOUND|ECONN|EAI_AGAIN|audit endpoint returned an error",
    re.IGNORECASE,
)


@dataclass(slots=True, frozen=True)
class Verdict:
    """What an advisory service said: its findings, or why there is no answer."""

    findings: tuple[str, ...] = ()
    no_answer: str = ""


def read_pip_audit(output: str, complaint: str) -> Verdict:
    """Read what `pip-audit --format json` printed."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return _no_answer(complaint or output)
    skipped = [each["skip_reason"] for each in packages if "skip_reason" in each]
    if packages and len(skipped) == len(packages):
        return Verdict(no_answer=skipped[0])
    return Verdict(
        tuple(
            f"{each['name']} {each['version']}: {hole['id']}"
            + (f", mended in {', '.join(hole['fix_versions'])}" if hole["fix_versions"] else "")
            for each in packages
            for hole in each.get("vulns", ())
        )
    )


def read_npm_audit(output: str, complaint: str) -> Verdict:
    """Read what `npm audit --json` printed."""
    try:
        record = json.loads(output)
        holes = record["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return _no_answer(complaint or output)
    return Verdict(tuple(f"{name}: {hole['severity']}" for name, hole in holes.items()))


def _no_answer(words: str) -> Verdict:
    """Return why there is no answer; what does not look like the network is an error of ours."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    if not any(_UNREACHABLE.search(line) for line in lines):
        raise SystemExit(f"The audit cannot be made: {' '.join(lines[-3:]) or 'no output'}")
    telling = [line for line in lines if _UNREACHABLE.search(line)]
    return Verdict(no_answer=telling[-1][:200])


def audit_python() -> Verdict:
    """Ask about the packages of the lock, with the tool in an environment of its own."""
    with tempfile.TemporaryDirectory(prefix="audit-") as place:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        python = f"{place}/bin/python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locked = ["--no-deps", "--require-hashes", "-r", str(REQUIREMENTS / "audit.txt")]
        subprocess.run([*install, *locked], check=True)
        run = subprocess.run(
            [
                python, "-m", "pip_audit", "--requirement", str(REQUIREMENTS / "dev.txt"),
                "--require-hashes", "--disable-pip", "--format", "json",
                "--progress-spinner", "off",
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    return read_pip_audit(run.stdout, run.stderr)


def audit_javascript() -> Verdict:
    """Ask about the packages of package-lock.json."""
    npm = shutil.which("npm")
    if npm is None:
        return Verdict(no_answer="npm is not installed")
    run = subprocess.run(
        [npm, "audit", "--json", "--package-lock-only", "--audit=true"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return read_npm_audit(run.stdout, run.stderr)


def main() -> int:
    """Ask both services; print what they said; return the exit code."""
    failed = False
    for name, verdict in (("Python", audit_python()), ("npm", audit_javascript())):
        if verdict.no_answer:
            print(f"{name}: NOT CHECKED, there was no answer: {verdict.no_answer}")
        elif verdict.findings:
            failed = True
            print(f"{name}: {len(verdict.findings)} known holes:")
            print(*(f"  {finding}" for finding in verdict.findings), sep="\n")
        else:
            print(f"{name}: no known holes.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
