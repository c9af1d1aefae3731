"""`telusur pull`: the text of a collection that matches a pattern."""

import click

from telusur.cli.extract import say_too_long, tell_match
from telusur.cli.options import as_json, choosing, to_read
from telusur.cli.output import answer_json
from telusur.collection import open_collection
from telusur.extract.writing.pattern import compile_pattern


@click.command("pull")
@click.argument("pattern")
@choosing
@to_read
@as_json
def command(pattern: str, urls: tuple[str, ...], query: str, address: str, as_json: bool) -> int:
    """Extract text from a collection with a regular expression: from all pages, or from some.

    Each row has the URL and the match, or the groups of the match. Exit code 1 when nothing
    matches.
    """
    compile_pattern(pattern)  # fail before the pages are looked up
    count = 0
    pages = set()
    with open_collection(address, create=False) as collection:
        chosen = collection.choose(urls, query)
        for url, match in collection.pull(pattern, chosen, say_too_long):
            count += 1
            pages.add(url)
            tell_match(match, "url", url, as_json=as_json, with_name=True)
    if as_json:
        answer_json({"type": "summary", "matches": count, "pages": len(pages)})
    return 0 if count else 1
