"""`telusur graph`: the web of a collection for other programs."""

import sys
from itertools import chain
from pathlib import Path

import click

from telusur.cli.options import to_read
from telusur.cli.output import say
from telusur.collection import open_collection
from telusur.graph.contract import MOST_NODES, MOST_STEPS, USUAL_NODES, MapRequest
from telusur.graph.formats import WRITERS


@click.command("graph")
@to_read
@click.option(
    "--format", "form", type=click.Choice([*WRITERS, "svg"]), default="json", show_default=True,
    help="json: nodes {url, domain, id} and links {source, target, depth}; graphml: for Gephi, "
    "yEd, NetworkX; svg: a picture; urls: one URL a line.",
)  # fmt: skip
@click.option("--site", default="", help="Only pages of this site, and the way to them.")
@click.option("--depth", type=click.IntRange(0), help="Only pages so many steps from a start URL.")
@click.option("--query", "words", metavar="WORDS", default="", help="Only the best 1,000 hits.")
@click.option("--topic", metavar="NAME", default="", help="Of these hits one topic, by its name.")
@click.option(
    "--about", type=click.FloatRange(0, 1), metavar="SCORE",
    help="Only pages with at least this topic score, 0 to 1, of a crawl with a --topic.",
)  # fmt: skip
@click.option("--around", metavar="URL", default="", help="Only a page and what is linked with it.")
@click.option(
    "--steps", type=click.IntRange(1, MOST_STEPS), default=1, help="How far around.  [default: 1]"
)
@click.option(
    "--most", type=click.IntRange(1), metavar="N",
    help=f"The N best pages, and of their links what a picture can bear.  [default: all pages and "
    f"links; svg: {USUAL_NODES:,}, at most {MOST_NODES:,}]",
)  # fmt: skip
def command(directory: Path, form: str, **wishes: str | int | float | None) -> int:
    """Write the pages of a collection and the links between them, or a picture of them.

    Pages come in the order they were found. Each but the start URLs hangs on an earlier one, by
    the link it was found by, which has "tree": true. Exit code 1 when there are none.
    """
    most = wishes.pop("most")
    if form == "svg":
        most = min(int(most or USUAL_NODES), MOST_NODES)
    request = MapRequest(**wishes, most=most)  # type: ignore[arg-type]
    with open_collection(directory, create=False) as collection:
        if form == "svg":
            from telusur.web.map_svg import write_svg

            shown = collection.maps.map(request)
            has_any = bool(shown.nodes)
            pieces = write_svg(shown, f"Map of {collection.name}")
        else:
            nodes, links = collection.maps.walk_map(request)
            first = next(nodes, None)
            has_any = first is not None
            pieces = WRITERS[form](chain(() if first is None else (first,), nodes), links)
        if not has_any:
            say("No crawled page fits.")
            return 1
        for piece in pieces:
            sys.stdout.write(piece)
    return 0
