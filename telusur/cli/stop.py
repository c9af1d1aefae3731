"""`telusur stop`: save and stop a running crawl."""

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection


@click.command("stop")
@to_read
@click.option(
    "--no-wait", is_flag=True, help="Return at once instead of waiting until the crawl has ended."
)
@as_json
def command(address: str, no_wait: bool, as_json: bool) -> int:
    """Stop a running crawl; everything is saved.

    Requests in flight are completed and the index is brought up to date. Run the same `telusur
    crawl` to resume later. Exit code 1 when no crawl is running.
    """
    with open_collection(address, create=False) as collection:
        status = collection.stop(wait=not no_wait)
    words = "The crawl is stopping." if no_wait else "The crawl has stopped; nothing is lost."
    return tell(address, "stop", status, words, as_json=as_json)
