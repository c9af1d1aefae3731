"""`telusur save`: archived pages as files for reading offline."""

from pathlib import Path

import click

from telusur.cli.options import choosing, to_read
from telusur.cli.output import console, printable, say
from telusur.collection import open_collection


@click.command("save")
@choosing
@to_read
@click.option(
    "--to", "target", metavar="DIRECTORY", required=True, type=click.Path(path_type=Path),
    help="Where to save the pages; a new or empty directory.",
)  # fmt: skip
def command(urls: tuple[str, ...], query: str, address: str, target: Path) -> int:
    """Save pages of a collection for reading offline: all, the given URLs, or the hits of a query.

    Links between saved pages lead to the saved files, all others to the web. Scripts and frames are
    removed. Start at index.html. Exit code 1 when there is no such page.
    """
    with open_collection(address, create=False) as collection:
        chosen = collection.choose(urls, query, with_copies=True)
        if not chosen:
            say("There is no such page in the collection.")
            return 1
        count = collection.save(chosen, target)
    console().print(f"{count} pages saved; start at {printable(str(target / 'index.html'))}")
    return 0 if count else 1
