"""`telusur pause`: have a running crawl start no more requests."""

from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.run.status import STOPPING, Status


@click.command("pause")
@to_read
@as_json
def command(directory: Path, as_json: bool) -> int:
    """Have a running crawl start no more requests.

    What is in flight ends and is saved. Exit code 1 when no crawl runs.
    """
    with open_collection(directory, create=False) as collection:
        status = collection.pause()
    return tell(directory, "pause", status, _words(status, directory), as_json=as_json)


def _words(status: Status | None, directory: Path) -> str:
    if status is not None and status.state == STOPPING:
        return "The crawl is stopping already."
    ending = f" when {status.in_flight} in flight have ended" if status and status.in_flight else ""
    return f"Paused{ending}; to go on: telusur resume --in {directory}"
