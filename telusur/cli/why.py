"""`telusur why`: the history of a URL."""

import datetime
from dataclasses import asdict

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.models import Event, Story


@click.command("why")
@click.argument("url")
@to_read
@as_json
def command(url: str, address: str, as_json: bool) -> int:
    """Show the history of a URL: how it was found, what happened, and why.

    Exit code 1 when the collection does not know the URL.
    """
    with open_collection(address, create=False) as collection:
        story = collection.why(url)
    if story is None:
        if as_json:
            answer_json({"type": "story", "url": url, "state": None})
        say(
            f"{printable(url)}: the collection does not know this URL: no page links to it, "
            "and it is not a start URL."
        )
        return 1
    if as_json:
        answer_json({"type": "story", **asdict(story)})
    else:
        _tell(story)
    return 0


def _tell(story: Story) -> None:
    out = console()
    reason = f" ({printable(story.reason)})" if story.reason else ""
    out.print(f"[bold]{printable(story.url)}[/bold]", markup=True)
    out.print(f"  {story.state}{reason}, depth {story.depth}", markup=False)
    if story.state == "done":
        out.print(f"  {'in the index' if story.indexed else 'not in the index'}", markup=False)
    for event in story.events:
        out.print(f"  {_when(event.at)}  {_what(event)}", markup=False)
    if story.operations:
        times = (f"{name} {1000 * time:.1f} ms" for name, time in story.operations.items())
        out.print(f"  took {', '.join(times)}", markup=False)


def _what(event: Event) -> str:
    words = [f"answered {event.status}," if event.status else "", event.state.value]
    if event.reason:
        words.append(f"({printable(event.reason)})")
    return " ".join(word for word in words if word)


def _when(at: float) -> str:
    return datetime.datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
