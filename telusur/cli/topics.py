"""`telusur topics`: the words of sites and topics by root, nouns and verbs separately."""

from collections.abc import Iterable
from dataclasses import asdict

import click
from rich.table import Table
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.reports.root_words import GroupWords, WordWishes


@click.command("topics")
@click.argument("topics", nargs=-1, metavar="[TOPIC]...")
@to_read
@click.option("--by-site", is_flag=True, help="Count each of the largest sites separately.")
@click.option("--kind", type=click.Choice(["noun", "verb"]), help="Only nouns, or only verbs.")
@click.option("--language", default="", metavar="CODE", help="Only documents in this language.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=20, help="How many roots to show for each."
)
@as_json
def command(  # noqa: PLR0917 - click passes them by name
    topics: tuple[str, ...], address: str, by_site: bool, kind: str | None, language: str,
    limit: int, as_json: bool,
) -> int:  # fmt: skip
    """Show the most frequent words by root, with their forms and counts.

    A TOPIC is a query; the words of its hits are counted. Without a TOPIC, the words of the whole
    collection or of each site are counted. Nouns and verbs are separated in English, Indonesian and
    Turkish; words of other languages are grouped by their stems. Exit code 1 when there is nothing
    to count.
    """
    wishes = WordWishes(kind or "", language, limit)
    with open_collection(address, create=False) as collection:
        groups = collection.count_roots(topics, by_site=by_site, wishes=wishes)
    for group in groups:
        if as_json:
            answer_json({"type": "topic", **asdict(group)})
        else:
            _show(group)
    if any(group.roots for group in groups):
        return 0
    if not as_json:
        say(_nothing(topics))
    return 1


def _nothing(topics: Iterable[str]) -> str:
    asked = ", ".join(repr(printable(topic)) for topic in topics)
    return f"No documents found for {asked}." if asked else "There are no words to count."


def _show(group: GroupWords) -> None:
    out = console()
    name = f"{printable(group.name)}: " if group.name else ""
    noun = "document" if group.documents == 1 else "documents"
    out.print(Text(f"{name}{group.documents:,} {noun}", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("count", justify="right")
    for title in ("root", "kind", "language", "forms"):
        table.add_column(title)
    for root in group.roots:
        forms = ", ".join(f"{form} {count:,}" for form, count in root.forms)
        row = (f"{root.count:,}", root.root, root.kind or "-", root.language or "-", forms)
        table.add_row(*(Text(printable(cell)) for cell in row))
    out.print(table)
