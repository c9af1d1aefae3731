"""`telusur join`: archived pages as one document."""

import sys

import click

from telusur.cli.options import choosing, to_read
from telusur.cli.output import say
from telusur.collection import open_collection
from telusur.reports.join_pages import FORMATS


@click.command("join")
@choosing
@to_read
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="markdown", show_default=True,
    help="The format of the document.",
)  # fmt: skip
def command(urls: tuple[str, ...], query: str, address: str, form: str) -> int:
    """Join pages of a collection into one document: all pages, the given URLs, or the hits of a
    query.

    The document has a table of contents and a chapter for each page: its title, URL and content.
    Exit code 1 when there is no such page.
    """
    with open_collection(address, create=False) as collection:
        chosen = collection.choose(urls, query)
        if not chosen:
            say("There is no such page in the collection.")
            return 1
        for part in collection.join(chosen, form):
            sys.stdout.write(part)
    return 0
