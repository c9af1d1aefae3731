"""`telusur stop`: have a running crawl save and stop."""

from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection


@click.command("stop")
@to_read
@click.option("--no-wait", is_flag=True, help="Do not wait until the crawl has ended.")
@as_json
def command(directory: Path, no_wait: bool, as_json: bool) -> int:
    """Have a running crawl save and stop.

    What is in flight ends, and the index catches up; nothing is lost. The same `telusur crawl` goes
    on later. Exit code 1 when no crawl runs.
    """
    with open_collection(directory, create=False) as collection:
        status = collection.stop(wait=not no_wait)
    words = "The crawl is stopping." if no_wait else "The crawl has stopped; nothing is lost."
    return tell(directory, "stop", status, words, as_json=as_json)
