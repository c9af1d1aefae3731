"""`telusur limit`: have a running crawl go on under other limits."""

from pathlib import Path
from typing import Any

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.run.limits import ROWS, describe_limits, read_limits
from telusur.run.status import STOPPING

NONE = "none"


def _flags(command: Any) -> Any:
    for row in reversed(ROWS.values()):
        metavar = "|".join(row.choices) or f"N|{NONE}"
        command = click.option(row.flag, row.name, metavar=metavar, default=None, help=row.help)(
            command
        )
    return command


@click.command("limit")
@to_read
@_flags
@as_json
def command(directory: Path, as_json: bool, **given: str | None) -> int:
    """Have a running crawl go on under other limits.

    `none` takes a limit away; without a delay of its own the crawl waits as long as usual. Links
    left out by a smaller depth or scope are kept, and followed when it grows again. Exit code 1
    when no crawl runs.
    """
    changes = read_limits(
        {name: None if value == NONE else value for name, value in given.items() if value}
    )
    with open_collection(directory, create=False) as collection:
        status = collection.limit(**changes)
    words = f"New limits: {describe_limits(changes)}."
    if status is not None and status.state == STOPPING:
        words = "The crawl is stopping already."
    return tell(directory, "limit", status, words, as_json=as_json)
