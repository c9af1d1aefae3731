"""Command-line flags made from the settings table, and the options several commands share."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import click

from telusur.settings import Setting, settings_of

F = TypeVar("F", bound=Callable[..., Any])

to_read = click.option(
    "--in", "directory", metavar="DIR", required=True, type=click.Path(path_type=Path),
    help="The collection to read.",
)  # fmt: skip
as_json = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def split_names(listed: str) -> tuple[str, ...]:
    """Return names that were given with commas between."""
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def choosing(command: F) -> F:
    """Give a command the ways to choose pages of a collection: by URL, by a query, or all."""
    query = click.option(
        "--query", metavar="WORDS", default="", help="Only pages that a search for WORDS finds."
    )
    return click.argument("urls", nargs=-1, metavar="[URL]...")(query(command))


def flags_of(table: type, without: Collection[str] = ()) -> Callable[[F], F]:
    """Give a command one flag for each row of a settings table, but for some."""

    def decorate(command: F) -> F:
        for row in reversed(settings_of(table)):
            if row.name not in without:
                command = _option(row)(command)
        return command

    return decorate


def _option(row: Setting) -> Callable[[F], F]:
    if row.kind is bool:
        return click.option(
            row.flag, row.name, flag_value=not row.default, default=None, type=bool, help=row.help
        )
    choices = "|".join(row.choices)
    metavar = choices or row.metavar or {int: "N", float: "N"}.get(row.kind, "TEXT")
    return click.option(
        row.flag, row.name, metavar=metavar, default=None, multiple=row.many, help=_help(row)
    )


def _help(row: Setting) -> str:
    if row.default in (None, "", ()):
        return row.help
    return f"{row.help}  [default: {row.default}]"


def given(flags: dict[str, Any]) -> dict[str, Any]:
    """Keep the flags that were really given."""
    return {name: value for name, value in flags.items() if value not in (None, ())}
