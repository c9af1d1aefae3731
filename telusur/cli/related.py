"""`telusur related`: pages on the same subject as a page."""

from dataclasses import asdict

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.cli.search import show_hits
from telusur.collection import open_collection


@click.command("related")
@click.argument("url")
@to_read
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="How many pages to show.")
@as_json
def command(url: str, address: str, limit: int, as_json: bool) -> int:
    """Show pages on the same subject as a page of the collection.

    They are found by the words that distinguish the page most from others. The page itself and its
    near-duplicates are left out. Exit code 1 when nothing is found.
    """
    with open_collection(address, create=False) as collection:
        hits = collection.related(url, limit)
    if as_json:
        answer_json({"type": "related", "url": url, "hits": [asdict(hit) for hit in hits]})
    elif hits:
        show_hits(hits, console())
    else:
        say(f"No page is related to {printable(url)}.")
    return 0 if hits else 1
