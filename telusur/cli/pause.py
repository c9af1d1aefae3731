"""`telusur pause`: pause a running crawl."""

from shlex import quote

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.program import program
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.pipeline.control.status import STOPPING, Status


@click.command("pause")
@to_read
@as_json
def command(address: str, as_json: bool) -> int:
    """Pause a running crawl: it starts no new requests.

    Requests in flight are completed and saved. Exit code 1 when no crawl is running.
    """
    with open_collection(address, create=False) as collection:
        status = collection.pause()
    return tell(address, "pause", status, _words(status, address), as_json=as_json)


def _words(status: Status | None, address: str) -> str:
    if status is not None and status.state == STOPPING:
        return "The crawl is already stopping."
    ending = (
        f" once {status.in_flight} requests in flight are done"
        if status and status.in_flight
        else ""
    )
    return f"Paused{ending}; to resume: {program()} resume --in {quote(address)}"
