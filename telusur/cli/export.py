"""`telusur export`: the collection as JSON lines."""

import datetime

import click

from telusur.cli.options import to_read
from telusur.cli.output import answer_json
from telusur.collection import open_collection
from telusur.document_table import EXPORTED
from telusur.errors import UsageError
from telusur.extract.writing.part_records import PART_TYPES

ALL = "all"


@click.command("export")
@to_read
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "urls"]),
    required=True,
    help="jsonl: every fetched page, in fetch order; urls: every known URL with its state.",
)
@click.option(
    "--fields",
    default="",
    metavar="NAMES",
    help=f"Write only these fields of pages, separated by commas: {', '.join(EXPORTED)}.",
)
@click.option(
    "--parts",
    default="",
    metavar="NAMES",
    help="Also write these parts of pages, separated by commas: "
    f"{', '.join(PART_TYPES)}; or {ALL}.",
)
def command(address: str, form: str, fields: str, parts: str) -> int:
    """Write a collection's pages or URLs as JSON lines.

    Pages are streamed, so memory use does not depend on their number. Exit code 1 when there are
    none.
    """
    if form == "urls" and (fields or parts):
        raise UsageError("--fields and --parts work only with --format jsonl.")
    wanted = tuple(PART_TYPES) if parts == ALL else _names(parts)
    count = 0
    with open_collection(address, create=False) as collection:
        pages = collection.pages(_names(fields), wanted)
        for record in pages if form == "jsonl" else collection.urls():
            if "fetched_at" in record:
                record["fetched_at"] = _timestamp(record["fetched_at"])
            answer_json(record)
            count += 1
    return 0 if count else 1


def _names(typed: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in typed.split(","))))


def _timestamp(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds")
