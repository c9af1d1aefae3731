"""A crawl that another process runs, asked over the socket of its collection."""

import time
from pathlib import Path
from typing import Any

from telusur.adapters.control_socket import ask
from telusur.adapters.lock import is_owned
from telusur.errors import CollectionError
from telusur.run.status import Status, status_from

START_SECONDS = 2.0
POLL_SECONDS = 0.1


def ask_crawl(directory: Path, wish: str, **more: Any) -> Status | None:
    """Ask the crawl; None if none runs. One that has just started gets a moment to listen."""
    deadline = time.monotonic() + START_SECONDS
    while (answer := ask(directory, wish, **more)) is None:
        if not is_owned(directory) or time.monotonic() > deadline:
            return None
        time.sleep(POLL_SECONDS)
    if not answer.get("ok"):
        raise CollectionError(f"{directory}: the crawl refused: {answer.get('error')}")
    return status_from(answer["status"])


def stop_crawl(directory: Path, *, wait: bool) -> Status | None:
    """Have the crawl save and stop, and wait for its end if wished for; None if none runs."""
    status = ask_crawl(directory, "stop")
    while status is not None and wait and is_owned(directory):
        time.sleep(POLL_SECONDS)
    return status
