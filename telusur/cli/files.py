"""`telusur files`: the files of one kind on the crawled sites."""

import click
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable
from telusur.collection import open_collection
from telusur.reports.site_files import KINDS


@click.command("files")
@to_read
@click.option(
    "--type", "kind", required=True, metavar="KIND",
    help=f"{', '.join(KINDS)}; or a media type such as image/png.",
)  # fmt: skip
@click.option("--site", default="", metavar="SITE", help="Only this site. [default: all sites]")
@as_json
def command(address: str, kind: str, site: str, as_json: bool) -> int:
    """List the files of one kind on the crawled sites: images, PDFs and others.

    The list has the files that were fetched, the targets of links, and the images on pages. Exit
    code 1 when there are none.
    """
    count = 0
    out = console()
    with open_collection(address, create=False) as collection:
        for file in collection.files(kind, site):
            count += 1
            if as_json:
                answer_json({"type": "file", **file._asdict()})
            else:
                out.print(Text(printable(file.url)))
    return 0 if count else 1
