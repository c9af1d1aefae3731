"""`telusur why`: the whole story of a URL."""

import datetime
from dataclasses import asdict
from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.models import Event, Story


@click.command("why")
@click.argument("url")
@to_read
@as_json
def command(url: str, directory: Path, as_json: bool) -> int:
    """Tell the whole story of a URL: how it was found, what happened, and why.

    Exit code 1 when the collection has never heard of it.
    """
    with open_collection(directory, create=False) as collection:
        story = collection.why(url)
    if story is None:
        if as_json:
            answer_json({"type": "story", "url": url, "state": None})
        say(f"{printable(url)}: no page of this collection links to it, and nobody asked for it.")
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


def _what(event: Event) -> str:
    words = [f"answered {event.status}," if event.status else "", event.state.value]
    if event.reason:
        words.append(f"({printable(event.reason)})")
    return " ".join(word for word in words if word)


def _when(at: float) -> str:
    return datetime.datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
