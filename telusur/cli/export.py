"""`telusur export`: the collection as JSON lines."""

import datetime
from pathlib import Path

import click

from telusur.cli.options import to_read
from telusur.cli.output import answer_json
from telusur.collection import open_collection


@click.command("export")
@to_read
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "urls"]),
    required=True,
    help="jsonl: every fetched page in fetch order; urls: every URL known with its state.",
)
def command(directory: Path, form: str) -> int:
    """Write a collection's pages or URLs as JSON lines.

    Exit code 1 when there are none.
    """
    count = 0
    with open_collection(directory, create=False) as collection:
        for record in collection.pages() if form == "jsonl" else collection.urls():
            if "fetched_at" in record:
                record["fetched_at"] = _timestamp(record["fetched_at"])
            answer_json(record)
            count += 1
    return 0 if count else 1


def _timestamp(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds")
