"""`telusur index`: bring the index up to date without a crawl."""

import click

from telusur.cli.options import to_read
from telusur.cli.output import console, printable
from telusur.collection import open_collection
from telusur.encoders.by_name import ENCODERS
from telusur.pipeline.indexing.vectors import AUTO, WISHES


@click.command("index")
@to_read
@click.option("--settle", is_flag=True, help="Recompute static rank and add all link texts.")
@click.option(
    "--semantic",
    type=click.Choice([*ENCODERS, "off"]),
    metavar="MODEL",
    help=f"Turn on semantic search with this model: {', '.join(ENCODERS)}; off: search by words"
    " only.",
)
@click.option(
    "--vectors",
    type=click.Choice(WISHES),
    default=AUTO,
    help="Make vectors for semantic search: never, only if the collection already has some "
    "(auto), or always.",
)
def command(address: str, settle: bool, semantic: str | None, vectors: str) -> int:
    """Index documents that are not indexed yet, or settle the index.

    A crawl does this by itself. With --settle, static rank and link texts are updated for all
    documents. A settled index depends only on its documents, not on the order in which they came.
    """
    with open_collection(address, create=False) as collection:
        seen = collection.index(settle=settle, vectors=vectors)
        count = collection.count_indexed()
        if semantic is not None:
            read = collection.put_semantic("" if semantic == "off" else semantic)
    done = "up to date and settled" if settle else "up to date"
    name = printable(address)
    console().print(
        f"{name}: {seen} documents checked; the index has {count} and is {done}.",
        markup=False,
    )
    if semantic is not None:
        told = "off" if semantic == "off" else f"on ({read} documents encoded)"
        console().print(f"{name}: semantic search is {told}.", markup=False)
    return 0
