"""`telusur xml`: any HTML as well-formed XML."""

import sys

import click

from telusur.cli.options import given
from telusur.cli.sources import read_sources
from telusur.extract.writing.xml import VIEWS, html_to_xml


@click.command("xml")
@click.argument("source", metavar="FILE|URL|-")
@click.option(
    "--view", type=click.Choice(VIEWS), default="document", show_default=True,
    help="The whole document, or only what is indexed: links, images and text.",
)  # fmt: skip
@click.option("--url", default="", help="The URL of a FILE, to resolve its relative links.")
@click.option(
    "--allow-private", is_flag=True, default=None, help="Allow fetching from private addresses."
)
def command(source: str, view: str, url: str, allow_private: bool | None) -> int:
    """Write any HTML as well-formed XML.

    Unclosed tags are closed and stray end tags dropped. Exit code 1 when there is nothing to read.
    """
    flags = given({"allow_private": allow_private, "render": "never"})
    for page in read_sources([source], url, flags):
        sys.stdout.write(
            html_to_xml(page.html, page.url, content_type=page.content_type, view=view)
        )
        return 0
    return 1
