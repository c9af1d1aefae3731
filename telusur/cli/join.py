"""`telusur join`: stored pages as one document."""

import sys
from pathlib import Path

import click

from telusur.cli.options import choosing, to_read
from telusur.cli.output import say
from telusur.collection import open_collection
from telusur.run.join_pages import FORMATS


@click.command("join")
@choosing
@to_read
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="markdown", show_default=True,
    help="How the document is written.",
)  # fmt: skip
def command(urls: tuple[str, ...], query: str, directory: Path, form: str) -> int:
    """Join pages of a collection into one document: all, or those named or found.

    It has a table of contents and a chapter for each page: its title, its address, its content.
    Exit code 1 when there is no such page.
    """
    with open_collection(directory, create=False) as collection:
        chosen = collection.choose(urls, query)
        if not chosen:
            say("There is no such page in the collection.")
            return 1
        for part in collection.join(chosen, form):
            sys.stdout.write(part)
    return 0
