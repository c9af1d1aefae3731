"""Write the lock files anew: exact versions with hashes, for every Python and system at once.

    python scripts/lock.py [--upgrade]

`requirements/dev.txt` is what `make setup` installs, `requirements/audit.txt` is for `make audit`.
They name no package index: each machine uses its own, and the hashes tell whether it is honest.
"""

import subprocess
import sys
from pathlib import Path

FOLDER = Path("requirements")
OLDEST_PYTHON = "3.11"
LEFT_OUT = ["--override", str(FOLDER / "left-out.txt")]
GROUPS = ["--extra", "browser", "--extra", "learn", "--group", "dev", "--group", "model"]
LOCKS = {
    "dev.txt": ["pyproject.toml", *GROUPS, *LEFT_OUT],
    "audit.txt": ["--group", "audit"],
}
HEADING = "# Written by `make lock`; do not edit.\n"


def write_lock(name: str, sources: list[str], *options: str) -> None:
    """Resolve what some sources ask for; versions stay as they are unless told to upgrade."""
    file = FOLDER / name
    command = [
        str(Path(sys.executable).with_name("uv")), "pip", "compile", *sources, *options,
        "--quiet", "--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes",
        "--no-header", "--no-annotate", "--no-emit-index-url",
        "--output-file", str(file),
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    file.write_text(HEADING + file.read_text().removeprefix(HEADING))


if __name__ == "__main__":
    for lock, what in LOCKS.items():
        write_lock(lock, what, *sys.argv[1:])
