"""`telusur search`: ranked hits with snippets, for a person or as JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from telusur.cli.column_hits import answer_columns
from telusur.cli.options import as_json, split_names, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.document_table import HIT_TAGS, QUERY_WORDS
from telusur.encoders.by_name import ENCODERS
from telusur.errors import UsageError
from telusur.models import Explanation, Hit, HitGroup, SearchResults
from telusur.search.columns import COLUMNS, ColumnRequest
from telusur.search.request import FACETS, GROUPS, MODELS, PER_SITE, SearchRequest

ON, OFF = "on", "off"
# The last second of the year 9999.
LATEST = 253_402_300_799
# The fields of a hit that stand behind its title.
_TAGS = tuple(field.name for field in HIT_TAGS)
_HELP = f"""Search a collection.

Words, "phrases", -not, OR, AND, brackets, {", ".join(f"{word}:" for word in QUERY_WORDS)}, prefix*,
fuzzy~. Exit code 1 when nothing is found.
"""


class _SearchCommand(click.Command):
    """Lets `--semantic` be used without a value, whatever word follows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = [*ENCODERS, OFF]
        for place, word in enumerate(args):
            if word == "--semantic" and args[place + 1 : place + 2] not in [
                [name] for name in named
            ]:
                args[place] = f"--semantic={ON}"
        return super().parse_args(ctx, args)


@click.command("search", cls=_SearchCommand, help=_HELP)
@click.argument("words", nargs=-1, required=True)
@to_read
@click.option("--page", type=click.IntRange(1), default=1, help="The page of hits to show.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, help="Hits per page.")
@click.option(
    "--per-site",
    type=click.IntRange(0),
    default=PER_SITE,
    help="At most this many hits of one site come first; 0 for no limit.",
)
@click.option(
    "--group",
    type=click.Choice([name for name in GROUPS if name]),
    help="site: hide the hits of a site beyond --per-site; topic: group the best 100 hits by "
    "topic.",
)
@click.option(
    "--facets",
    default="",
    metavar="NAMES",
    help=f"Count hits by these, separated by commas: {', '.join(FACETS)}.",
)
@click.option("--explain", is_flag=True, help="Show how each score was calculated.")
@click.option(
    "--columns",
    default="",
    metavar="NAMES",
    help="Search for the exact text WORDS in these columns of the catalogue, separated by commas: "
    f"{', '.join(COLUMNS)}.",
)
@click.option("--regex", is_flag=True, help="With --columns, WORDS are a regular expression.")
@click.option(
    "--model", type=click.Choice(MODELS), default="bm25f", help="The scoring model for words."
)
@click.option(
    "--semantic",
    metavar="[MODEL]",
    help=f"Include semantic matches. MODEL is {', '.join(ENCODERS)}, by default the one of the "
    f"collection; {OFF}: search by words only.",
)
@click.option(
    "--as-of",
    type=click.FloatRange(0, LATEST),
    metavar="TIME",
    help="Ignore pages fetched after this time; use the as_of of an earlier JSON result.",
)
@as_json
def command(
    words: tuple[str, ...],
    address: str,
    *,
    facets: str,
    group: str | None,
    columns: str,
    regex: bool,
    semantic: str | None,
    as_json: bool,
    **wishes: Any,
) -> int:
    """Search a collection."""
    if columns:
        request = ColumnRequest(
            " ".join(words), split_names(columns), regex, wishes["page"], wishes["limit"]
        )
        return answer_columns(address, request, as_json=as_json)
    if regex:
        raise UsageError("--regex works only with --columns; name the columns to search.")
    counted = split_names(facets)
    wanted = SearchRequest(
        " ".join(words), facets=counted, group=group or "", semantic=_wish_of(semantic), **wishes
    )
    with open_collection(address, create=False) as collection:
        results = collection.answer(wanted)
        if as_json:
            answer_json({"type": "results", **asdict(results)})
        elif results.hits:
            show(results, console())
        else:
            say(_why_empty(results, collection.counts().documents, collection.count_indexed()))
        if results.did_you_mean and not as_json:
            say(f"Did you mean: {printable(results.did_you_mean)}")
    return 0 if results.hits else 1


def _wish_of(semantic: str | None) -> bool | str | None:
    return {None: None, ON: True, OFF: False}.get(semantic, semantic)


def show(results: SearchResults, out: Console) -> None:
    """Print the hits of one page."""
    first = (results.page - 1) * results.limit + 1
    if results.groups:
        _show_groups(results.groups, out)
        _show_facets(results, out)
        say(f"{len(results.groups)} topics, in {results.seconds * 1000:.0f} ms")
        return
    show_hits(results.hits, out, first)
    _show_facets(results, out)
    last = first + len(results.hits) - 1
    say(f"{first} to {last} of {results.total}, in {results.seconds * 1000:.0f} ms")


def _show_groups(groups: Iterable[HitGroup], out: Console) -> None:
    for group in groups:
        out.print(Text(f"{printable(group.name)} ({group.total})", style="bold underline"))
        show_hits(group.hits, out)


def show_hits(hits: Iterable[Hit], out: Console, first: int = 1) -> None:
    """Print hits, numbered."""
    for number, hit in enumerate(hits, first):
        out.print(_title(number, hit))
        out.print(Text(f"    {printable(hit.url)}", style="green"))
        out.print(_snippet(hit))
        for note in _notes(hit):
            out.print(Text(f"    {note}", style="dim"))
        if hit.explanation is not None:
            _show_tree(hit.explanation, out)


def _title(number: int, hit: Hit) -> Text:
    line = Text(f"{number:2}. ")
    line.append(printable(hit.title) or "(no title)", style="bold")
    tags = [printable(str(tag)) for name in _TAGS if (tag := getattr(hit, name))]
    return line.append(f"  {' '.join(tags)}" if tags else "", style="dim")


def _snippet(hit: Hit) -> Text:
    """Return the snippet with the matching words in bold."""
    line = Text("    ")
    end = 0
    for start, stop in hit.marks:
        line.append(printable(hit.snippet[end:start]))
        line.append(printable(hit.snippet[start:stop]), style="bold yellow")
        end = stop
    return line.append(printable(hit.snippet[end:]))


def _notes(hit: Hit) -> Iterator[str]:
    if hit.more_from_site:
        yield f"{hit.more_from_site} more from this site: add site:{printable(hit.site)}"
    if hit.duplicates:
        yield f"duplicates: {printable(', '.join(hit.duplicates))}"


def _show_tree(node: Explanation, out: Console, depth: int = 2) -> None:
    """Print a score tree, one node per line."""
    out.print(Text(f"{'  ' * depth}{node.value:9.4f}  {printable(node.description)}", style="dim"))
    for child in node.details:
        _show_tree(child, out, depth + 1)


def _show_facets(results: SearchResults, out: Console) -> None:
    for name, values in results.facets.items():
        counts = "  ".join(f"{printable(facet.value)} {facet.count}" for facet in values)
        out.print(Text(f"{name}: {counts}"))


def _why_empty(results: SearchResults, documents: int, indexed: int) -> str:
    if not documents:
        return "Nothing found: the collection has no documents yet."
    if not indexed:
        return (
            f"Nothing found: none of the {documents} documents is indexed; "
            "run `telusur index` on this collection."
        )
    if results.total:
        return f"There are only {results.total} hits; page {results.page} is past the end."
    asked = results.query
    if results.understood not in ("", asked):
        asked = f"{asked}, understood as {results.understood},"
    return f"Nothing found for {printable(asked)} in {documents} documents; try fewer words."
