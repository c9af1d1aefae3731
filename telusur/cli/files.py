"""`telusur files`: the files of a kind that sites have."""

from pathlib import Path

import click
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable
from telusur.collection import open_collection
from telusur.run.site_files import KINDS


@click.command("files")
@to_read
@click.option(
    "--type", "kind", required=True, metavar="KIND",
    help=f"{', '.join(KINDS)}; or a media type such as image/png.",
)  # fmt: skip
@click.option("--site", default="", metavar="SITE", help="Only this site; without it all of them.")
@as_json
def command(directory: Path, kind: str, site: str, as_json: bool) -> int:
    """List the files of a kind that sites have: pictures, PDFs, and others.

    These are the files that were fetched, those that links lead to, and pictures that pages show.
    Exit code 1 when there are none.
    """
    count = 0
    out = console()
    with open_collection(directory, create=False) as collection:
        for file in collection.files(kind, site):
            count += 1
            if as_json:
                answer_json({"type": "file", **file._asdict()})
            else:
                out.print(Text(printable(file.url)))
    return 0 if count else 1
