"""`telusur reindex`: extract all archived pages again, and index them."""

import click

from telusur.cli.options import to_read
from telusur.cli.output import console, printable, say
from telusur.collection import open_collection
from telusur.errors import UsageError

EVERY = 1_000


@click.command("reindex")
@to_read
@click.option(
    "--model",
    metavar="FILE",
    help="Find the main content with this model, made by `telusur train`.",
)
@click.option("--without-model", is_flag=True, help="Use the model that comes with Telusur.")
@click.option("--hooks", metavar="FILE", help="Run this Python file to extract data from pages.")
@click.option(
    "--without-hooks", is_flag=True, help="Run no hooks; keep the fields that pages have."
)
def command(
    address: str, model: str | None, without_model: bool, hooks: str | None, without_hooks: bool
) -> int:
    """Extract all archived pages again, index them, and settle the index.

    Nothing is fetched. Use it after an upgrade that improves extraction. Pages are read with the
    settings of the crawl that fetched them. If that crawl used a model or hooks, name the files
    again: a collection does not decide which files are read or run. Exit code 1 when the archive
    has no page.
    """
    files = {
        "model": _chosen("model", model, without=without_model),
        "hooks": _chosen("hooks", hooks, without=without_hooks),
    }

    def report(count: int) -> None:
        if count and count % EVERY == 0:
            say(f"{count} pages extracted")

    with open_collection(address, create=False) as collection:
        count = collection.reindex(report, **files)
        indexed = collection.count_indexed()
    name = printable(address)
    console().print(
        f"{name}: {count} pages extracted again; the index has {indexed} documents.",
        markup=False,
    )
    return 0 if count else 1


def _chosen(name: str, given: str | None, *, without: bool) -> str | None:
    """Return the file to use; "" for none, None if neither option was given."""
    if given is not None and without:
        raise UsageError(f"--{name} and --without-{name} exclude each other.")
    if given == "":
        raise UsageError(f"--{name}: name a file, or write --without-{name}.")
    return "" if without else given
