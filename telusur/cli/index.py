"""`telusur index`: bring the index up to date, apart from a crawl."""

from pathlib import Path

import click

from telusur.adapters.encoders import ENCODERS
from telusur.cli.options import to_read
from telusur.cli.output import console
from telusur.collection import open_collection
from telusur.run.vectors import AUTO, WISHES


@click.command("index")
@to_read
@click.option("--settle", is_flag=True, help="Work out static rank, and fold in all link texts.")
@click.option(
    "--semantic",
    type=click.Choice([*ENCODERS, "off"]),
    metavar="MODEL",
    help=f"Have searches go by meaning too, by a model: {', '.join(ENCODERS)}; off: by words only.",
)
@click.option(
    "--vectors",
    type=click.Choice(WISHES),
    default=AUTO,
    help="Make vectors for search by meaning: never, if the collection has some (auto), or always.",
)
def command(directory: Path, settle: bool, semantic: str | None, vectors: str) -> int:
    """Index what is in the collection and not in its index, or settle the index.

    A crawl does this by itself. With --settle, static rank and link texts are brought up to date
    for all documents; the index is then the same however it came about.
    """
    with open_collection(directory, create=False) as collection:
        seen = collection.index(settle=settle, vectors=vectors)
        count = collection.count_indexed()
        if semantic is not None:
            read = collection.put_semantic("" if semantic == "off" else semantic)
    done = "up to date and settled" if settle else "up to date"
    console().print(
        f"{directory}: {seen} documents looked at, the index has {count} and is {done}.",
        markup=False,
    )
    if semantic is not None:
        told = "by words only" if semantic == "off" else f"by meaning too ({read} documents read)"
        console().print(f"{directory}: searches go {told}.", markup=False)
    return 0
