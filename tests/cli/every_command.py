"""Every command with something sensible for all it insists on, read from the commands themselves.

A new command, or one that insists on something new, is walked over by itself; where its name does
not tell what is sensible, `SENSIBLE` must.
"""

from dataclasses import dataclass
from pathlib import Path

import click

from telusur.cli import COMMANDS, telusur

SENSIBLE = {
    "words": "ferry",
    "word": "ferry",
    "kind": "image",
    "site": "127.0.0.1",
    "pattern": "[0-9]+",
    "strategies": "breadth-first",
    "topics": "ferry",
    "pages": "100",
}
# Commands that would go on for long if all was well.
STARTS_SOMETHING = {"crawl", "compare", "serve", "demo"}
# Commands that change the collection.
WRITERS = {"crawl", "index", "reindex", "mark"}


@dataclass(frozen=True)
class World:
    """What there is for commands to work on."""

    collection: Path
    url: str
    # A file of HTML.
    page: Path
    # A directory for what commands write.
    elsewhere: Path


def params_of(name: str) -> list[click.Parameter]:
    """Return the arguments and options of a command."""
    command = telusur.get_command(click.Context(telusur), name)
    assert command is not None
    return list(command.params)


def reads_collection(name: str) -> bool:
    """Tell whether a command has `--in`."""
    return any("--in" in param.opts for param in params_of(name))


def option_names() -> list[tuple[str, str]]:
    """Return each command with each of its options."""
    return [
        (name, param.opts[0])
        for name in COMMANDS
        for param in params_of(name)
        if isinstance(param, click.Option)
    ]


def line_of(name: str, world: World, without: str = "") -> list[str]:
    """Return a command line that makes sense, leaving out one option."""
    line = [name]
    for param in params_of(name):
        if without in param.opts or not (param.required or _is_wanted(name, param)):
            continue
        if isinstance(param, click.Option):
            line.append(param.opts[0])
        line.append(_sensible(name, param, world))
    return line + (["--good"] if name == "mark" and without != "--good" else [])


def _is_wanted(name: str, param: click.Parameter) -> bool:
    """Tell whether an option that may be left out makes the command do what it is for."""
    return (name, param.name) in {
        ("crawl", "urls"), ("compare", "urls"), ("compare", "topics"), ("crawl", "address"),
        ("compare", "directory"), ("demo", "directory"), ("mark", "urls"),
        ("limit", "pages"),
    }  # fmt: skip


def _sensible(name: str, param: click.Parameter, world: World) -> str:
    """Return a value for a parameter, by its name and kind."""
    if isinstance(param.type, click.Choice):
        return str(next(iter(param.type.choices)))
    if "--in" in param.opts or (param.opts[0] == "--to" and name == "crawl"):
        return str(world.collection)
    if param.opts[0] in ("--to", "--out"):
        return str(world.elsewhere / f"{name}.new")
    if param.name in ("url", "urls"):
        return world.url
    if param.name in ("source", "sources", "data"):
        return str(world.page)
    assert param.name in SENSIBLE, f"say in SENSIBLE what `{name}` may take as {param.name}"
    return SENSIBLE[param.name]
