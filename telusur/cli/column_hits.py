"""The hits of `telusur search --columns`, for a person or as JSON."""

from dataclasses import asdict

from rich.text import Text

from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.search.columns import ColumnHit, ColumnMatch, ColumnRequest, ColumnResults


def answer_columns(address: str, request: ColumnRequest, *, as_json: bool) -> int:
    """Search columns and print the hits; exit code 1 when there are none."""
    with open_collection(address, create=False) as collection:
        results = collection.answer_columns(request)
        documents = collection.counts().documents
    for url in results.too_long:
        say(f"{printable(url)}: skipped: matching the pattern takes too long.")
    if as_json:
        answer_json({"type": "results", **asdict(results)})
    else:
        _show(results, documents)
    return 0 if results.hits else 1


def _show(results: ColumnResults, documents: int) -> None:
    first = (results.page - 1) * results.limit + 1
    for number, hit in enumerate(results.hits, first):
        _show_hit(number, hit)
    if results.hits:
        last = first + len(results.hits) - 1
        say(f"{first} to {last} of {results.total}, in {results.seconds * 1000:.0f} ms")
    elif results.total:
        say(f"There are only {results.total} hits; page {results.page} is past the end.")
    else:
        columns = ", ".join(results.columns)
        say(
            f"Nothing found: {printable(results.words)!r} is not in {columns} of {documents} "
            "documents."
        )


def _show_hit(number: int, hit: ColumnHit) -> None:
    out = console()
    line = Text(f"{number:2}. ")
    line.append(printable(hit.title) or "(no title)", style="bold")
    out.print(line)
    out.print(Text(f"    {printable(hit.url)}", style="green"))
    for match in hit.matches:
        out.print(_excerpt(match))


def _excerpt(match: ColumnMatch) -> Text:
    start, end = match.mark
    line = Text(f"    {match.column}: ")
    line.append(printable(match.excerpt[:start]))
    line.append(printable(match.excerpt[start:end]), style="bold yellow")
    return line.append(printable(match.excerpt[end:]))
