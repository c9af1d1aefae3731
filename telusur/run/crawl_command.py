"""A crawl as the command line has it: the command to type, and to start as a process of its own."""

import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from telusur.adapters.control_socket import ask
from telusur.adapters.lock import is_owned
from telusur.errors import CollectionBusy, UsageError
from telusur.settings import CrawlSettings, settings_of

LOG = "crawl.log"
MOST_URLS_SHOWN = 20
START_SECONDS = 20.0
POLL_SECONDS = 0.05


def flags_for(settings: CrawlSettings, usual: CrawlSettings) -> list[str]:
    """Return settings as flags; what is as usual needs none."""
    flags = []
    for row in settings_of(CrawlSettings):
        value = getattr(settings, row.name)
        if value is None or value == getattr(usual, row.name):
            continue
        if row.kind is bool:
            flags.append(row.flag)
        else:
            for one in value if row.many else (value,):
                flags += [row.flag, _plain(one)]
    return flags


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)


def command_line(
    directory: Path, urls: Sequence[str], settings: CrawlSettings, usual: CrawlSettings
) -> str:
    """Return the command that does the same, for a person to type."""
    given = list(urls) if len(urls) <= MOST_URLS_SHOWN else ["--urls-from", "urls.txt"]
    words = ["telusur", "crawl", *given, "--to", str(directory), *flags_for(settings, usual)]
    return shlex.join(words)


def start_crawl(
    directory: Path, urls: Sequence[str], settings: CrawlSettings, usual: CrawlSettings
) -> int:
    """Start a crawl that goes on when this process ends; return its number once it runs.

    What it says goes into `crawl.log` of the collection. One that cannot run is one clear sentence.
    """
    if is_owned(directory):
        raise CollectionBusy(f"{directory.name}: a crawl is running in it; stop it first.")
    command = [sys.executable, "-m", "telusur.cli", "crawl", "--urls-from", "-"]
    # The URLs go through a file, since there may be more than a command line holds.
    with tempfile.TemporaryFile() as listed, (directory / LOG).open("wb") as log:
        listed.write("\n".join(urls).encode("utf-8", "replace"))
        listed.seek(0)
        process = subprocess.Popen(  # noqa: S603 - ourselves
            [*command, "--to", str(directory), *flags_for(settings, usual)],
            stdin=listed, stdout=log, stderr=log, start_new_session=True,
            env=os.environ | {"NO_COLOR": "1"},
        )  # fmt: skip
    _wait_for_start(process, directory)
    threading.Thread(target=process.wait, name="end of a crawl", daemon=True).start()
    return process.pid


def _wait_for_start(process: "subprocess.Popen[bytes]", directory: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if is_owned(directory) and ask(directory, "status") is not None:
            return
        time.sleep(POLL_SECONDS)
    if process.returncode == 2:
        raise UsageError(_last_words(directory) or "The crawl could not start.")


def _last_words(directory: Path) -> str:
    """Return the last line a crawl said."""
    lines = (directory / LOG).read_text(encoding="utf-8", errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1].removeprefix("telusur: ") if said else ""
