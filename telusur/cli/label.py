"""`telusur label`: write the labels of blocks into sheets, to correct and to train on."""

import re
from pathlib import Path

import click

from telusur.cli.options import given
from telusur.cli.output import console, printable, say
from telusur.cli.sources import read_sources
from telusur.extract.document import extract_document
from telusur.extract.page.decode import clean_text, decode_html
from telusur.learn.pages.label_sheets import write_sheet

_UNSAFE = re.compile(r"[^\w.-]+")


@click.command("label")
@click.argument("sources", nargs=-1, required=True, metavar="FILE|URL|-...")
@click.option(
    "--to",
    "directory",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where pages and sheets are written.",
)
@click.option("--url", default="", help="The URL of a FILE.")
@click.option(
    "--allow-private", is_flag=True, default=None, help="Allow fetching from private addresses."
)
@click.option("--edit", is_flag=True, help="Open each sheet in your editor.")
def command(
    sources: tuple[str, ...], directory: Path, url: str, allow_private: bool | None, edit: bool
) -> int:
    """Write the blocks of pages with their labels, one per row, for you to correct.

    Change the first word of a row: content, title, author, date or other. Then `telusur train DIR
    --onto shipped --out my.npz` trains on all sheets of DIR, and `telusur extract --model my.npz`
    and `telusur crawl --model my.npz` use the model.
    """
    count = 0
    for page in read_sources(sources, url, given({"allow_private": allow_private})):
        html = page.html
        text = (
            clean_text(html) if isinstance(html, str) else decode_html(html, page.content_type)[0]
        )
        document = extract_document(text, page.url)
        if not document.blocks:
            say(f"{printable(page.name)}: no blocks to label.")
            continue
        sheet = write_sheet(text, document, directory, _name_of(page.name))
        count += 1
        console().print(str(sheet), markup=False, highlight=False)
        if edit:
            click.edit(filename=str(sheet))
    return 0 if count else 1


def _name_of(source: str) -> str:
    """Return a file name made from a path or a URL."""
    name = source.partition("://")[2] if "://" in source else Path(source).stem
    return _UNSAFE.sub("-", name).strip("-.")[:100] or "page"
