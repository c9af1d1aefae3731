"""`telusur terms`: where and how often words occur, and how rare they are."""

from collections.abc import Iterable
from dataclasses import asdict

import click
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.search.rank.word_counts import TermInDocument, WordStatistics


@click.command("terms")
@click.argument("word", metavar="WORD_OR_URL")
@to_read
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, help="How many documents or words to show."
)
@as_json
def command(word: str, address: str, limit: int, as_json: bool) -> int:
    """Show the index statistics of a word, or of the words of a page.

    For a word: its term, how many documents have it (DF), how rare it is (IDF), and how often it
    occurs in each place (TF) of the documents where it counts most. For a URL: the words of that
    page, the most characteristic first. Exit code 1 when no document has the word.
    """
    with open_collection(address, create=False) as collection:
        if "://" in word:
            rows = collection.terms_of(word, limit)
            _answer_all("term", rows) if as_json else _show_terms(rows)
            return 0 if rows else 1
        statistics = collection.terms(word, limit)
    if as_json:
        _answer_all("word", statistics)
    else:
        _show_words(statistics)
    if any(each.documents for each in statistics):
        return 0
    say(f"No document has {printable(word)!r}.")
    return 1


def _answer_all(kind: str, records: Iterable[WordStatistics | TermInDocument]) -> None:
    for record in records:
        answer_json({"type": kind, **asdict(record)})


def _show_words(statistics: list[WordStatistics]) -> None:
    out = console()
    for word in statistics:
        languages = ", ".join(code or "unknown" for code in word.languages)
        line = f"{word.term} ({languages}): DF {word.documents} of {word.of}, IDF {word.idf:.3f}"
        out.print(Text(printable(line), style="bold"))
        for document in word.best:
            out.print(Text(f"  {document.weighted:4}  {_places(document)}"))
            out.print(Text(f"        {printable(document.url)}", style="green"))


def _show_terms(rows: list[TermInDocument]) -> None:
    out = console()
    for row in rows:
        numbers = f"TF {row.weighted:4}  DF {row.documents:6}  IDF {row.idf:6.3f}"
        out.print(Text(f"{printable(row.term):20} {numbers}  {_places(row)}"))


def _places(document: TermInDocument) -> str:
    return ", ".join(f"{name} {count}" for name, count in document.places.items())
