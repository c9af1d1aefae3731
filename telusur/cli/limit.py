"""`telusur limit`: change the limits of a running crawl."""

from typing import Any

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.steer import tell
from telusur.collection import open_collection
from telusur.crawl.limits import ROWS, describe_limits, read_limits
from telusur.pipeline.control.status import STOPPING

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
def command(address: str, as_json: bool, **flags: str | None) -> int:
    """Change the limits of a running crawl.

    `none` removes a limit; `--delay none` restores the default delay. Links outside a smaller depth
    or scope are kept and followed when it grows again. Exit code 1 when no crawl is running.
    """
    named = {name: value for name, value in flags.items() if value is not None}
    changes = read_limits({name: None if value == NONE else value for name, value in named.items()})
    with open_collection(address, create=False) as collection:
        status = collection.limit(**changes)
    words = f"New limits: {describe_limits(changes)}."
    if status is not None and status.state == STOPPING:
        words = "The crawl is already stopping."
    return tell(address, "limit", status, words, as_json=as_json)
