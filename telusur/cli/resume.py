"""`telusur resume`: have a paused crawl go on."""

from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.run.status import RUNNING, Status


@click.command("resume")
@to_read
@as_json
def command(directory: Path, as_json: bool) -> int:
    """Have a paused crawl go on.

    Exit code 1 when no crawl runs; start it again with `telusur crawl --to DIR`.
    """
    with open_collection(directory, create=False) as collection:
        status = collection.resume()
    return tell(directory, "resume", status, _words(status), as_json=as_json)


def _words(status: Status | None) -> str:
    if status is None or status.state == RUNNING:
        return "The crawl goes on."
    return f"The crawl is still {status.state}: {status.reason}."
