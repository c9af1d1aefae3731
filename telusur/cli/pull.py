"""`telusur pull`: the text of a collection that fits a pattern."""

from pathlib import Path

import click

from telusur.cli.extract import say_too_long, tell_match
from telusur.cli.options import as_json, choosing, to_read
from telusur.cli.output import answer_json
from telusur.collection import open_collection
from telusur.extract.pattern import compile_pattern


@click.command("pull")
@click.argument("pattern")
@choosing
@to_read
@as_json
def command(pattern: str, urls: tuple[str, ...], query: str, directory: Path, as_json: bool) -> int:
    """Pull text out of a collection by a regular expression: of all pages, or some.

    A row has the URL and what fits, or its groups. Exit code 1 when nothing fits.
    """
    compile_pattern(pattern)  # complain before pages are looked for
    count = 0
    pages = set()
    with open_collection(directory, create=False) as collection:
        chosen = collection.choose(urls, query)
        for url, match in collection.pull(pattern, chosen, say_too_long):
            count += 1
            pages.add(url)
            tell_match(match, "url", url, as_json=as_json, with_name=True)
    if as_json:
        answer_json({"type": "summary", "matches": count, "pages": len(pages)})
    return 0 if count else 1
