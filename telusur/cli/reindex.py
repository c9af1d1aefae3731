"""`telusur reindex`: extract all pages again from the archive, and index them."""

from pathlib import Path

import click

from telusur.cli.options import to_read
from telusur.cli.output import console, say
from telusur.collection import open_collection

EVERY = 1_000


@click.command("reindex")
@to_read
def command(directory: Path) -> int:
    """Extract all pages again from the archive, index them, and settle the index.

    Nothing is fetched. Of use after an upgrade that reads pages better. Exit code 1 when the
    archive has no page.
    """

    def report(count: int) -> None:
        if count and count % EVERY == 0:
            say(f"{count} pages extracted")

    with open_collection(directory, create=False) as collection:
        count = collection.reindex(report)
        indexed = collection.count_indexed()
    console().print(
        f"{directory}: {count} pages extracted again, the index has {indexed} documents.",
        markup=False,
    )
    return 0 if count else 1
