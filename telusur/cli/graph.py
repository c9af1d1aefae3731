"""`telusur graph`: the link graph of a collection, for other programs or as a picture."""

import sys
from itertools import chain

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
    "yEd, NetworkX; svg: a picture; urls: one URL per line.",
)  # fmt: skip
@click.option(
    "--site", default="", help="Only pages of this site, and the pages that lead to them."
)
@click.option(
    "--depth", type=click.IntRange(0), help="Only pages at most this many links from a start URL."
)
@click.option(
    "--query", "words", metavar="WORDS", default="", help="Only the best 1,000 hits for WORDS."
)
@click.option(
    "--topic", metavar="NAME", default="", help="With --query, only the hits of this topic."
)
@click.option(
    "--about", type=click.FloatRange(0, 1), metavar="SCORE",
    help="Only pages with at least this topic score, 0 to 1; needs a crawl with --topic.",
)  # fmt: skip
@click.option("--around", metavar="URL", default="", help="Only this page and its neighbours.")
@click.option(
    "--steps",
    type=click.IntRange(1, MOST_STEPS),
    default=1,
    help="With --around, how many links away. [default: 1]",
)
@click.option(
    "--most", type=click.IntRange(1), metavar="N",
    help="Only the N best pages, with as many of their links as stay readable.  [default: all "
    "pages and "
    f"links; svg: {USUAL_NODES:,}, at most {MOST_NODES:,}]",
)  # fmt: skip
def command(address: str, form: str, **wishes: str | int | float | None) -> int:
    """Write the link graph of a collection as data or as a picture.

    Pages are in the order in which they were found. The link by which a page was found has "tree":
    true. Exit code 1 when there are no pages.
    """
    most = wishes.pop("most")
    if form == "svg":
        most = min(int(most or USUAL_NODES), MOST_NODES)
    request = MapRequest(**wishes, most=most)  # type: ignore[arg-type]
    with open_collection(address, create=False) as collection:
        if form == "svg":
            from telusur.web.frame.site_colours import hues_of
            from telusur.web.maps.svg import write_svg

            shown = collection.maps.map(request)
            has_any = bool(shown.nodes)
            pieces = write_svg(shown, f"Map of {collection.name}", hues_of(collection))
        else:
            nodes, links = collection.maps.walk_map(request)
            first = next(nodes, None)
            has_any = first is not None
            pieces = WRITERS[form](chain(() if first is None else (first,), nodes), links)
        if not has_any:
            say("No crawled page matches.")
            return 1
        for piece in pieces:
            sys.stdout.write(piece)
    return 0
