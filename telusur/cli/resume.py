"""`telusur resume`: resume a paused crawl."""

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.pipeline.control.status import RUNNING, Status


@click.command("resume")
@to_read
@as_json
def command(address: str, as_json: bool) -> int:
    """Resume a paused crawl.

    Exit code 1 when no crawl is running; start it again with `telusur crawl --to DIR`.
    """
    with open_collection(address, create=False) as collection:
        status = collection.resume()
    return tell(address, "resume", status, _words(status), as_json=as_json)


def _words(status: Status | None) -> str:
    if status is None or status.state == RUNNING:
        return "The crawl continues."
    return f"The crawl is still {status.state}: {status.reason}."
