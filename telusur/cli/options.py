"""Command-line flags made from the settings table, and options shared by several commands."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import click

from telusur.settings.reading import settings_of
from telusur.settings.row import Setting

F = TypeVar("F", bound=Callable[..., Any])

to_read = click.option(
    "--in", "address", metavar="DIR", required=True, help="The collection.",
)  # fmt: skip
as_json = click.option("--json", "as_json", is_flag=True, help="Write the output as JSON.")


def split_names(listed: str) -> tuple[str, ...]:
    """Return the names in a list separated by commas."""
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def choosing(command: F) -> F:
    """Add the options that choose pages of a collection: by URL, by a query, or all."""
    query = click.option(
        "--query", metavar="WORDS", default="", help="Only pages found by a search for WORDS."
    )
    return click.argument("urls", nargs=-1, metavar="[URL]...")(query(command))


def flags_of(table: type, without: Collection[str] = ()) -> Callable[[F], F]:
    """Add one flag for each row of a settings table, except those in `without`."""

    def decorate(command: F) -> F:
        for row in reversed(settings_of(table)):
            if row.name not in without:
                command = _option(row)(command)
        return command

    return decorate


def _option(row: Setting) -> Callable[[F], F]:
    if row.kind is bool:
        told = row.off or row.help
        return click.option(
            row.flag, row.name, flag_value=not row.default, default=None, type=bool, help=told
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
    """Keep only the flags that were given."""
    return {name: value for name, value in flags.items() if value not in (None, ())}
