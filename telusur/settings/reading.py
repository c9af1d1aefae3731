"""Reading settings: from flags, the environment and files to the tables, checked."""

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from telusur.errors import UsageError
from telusur.settings.crawl import CrawlSettings, HostSettings
from telusur.settings.row import TOML_FILE, Setting

T = TypeVar("T")


def settings_of(table: type) -> tuple[Setting, ...]:
    """Return the rows of a settings class, in order."""
    hints = typing.get_type_hints(table)
    rows = []
    for row in fields(table):
        if row.default is MISSING:  # a table in a table: it has no flag
            continue
        kind, many = _kind_of(hints[row.name])
        rows.append(Setting(row.name, kind, row.default, many=many, **row.metadata))
    return tuple(rows)


def _kind_of(hint: Any) -> tuple[type, bool]:
    """Return the plain type behind `X | None` and `tuple[X, ...]`, and whether there are many."""
    if typing.get_origin(hint) is tuple:
        return typing.get_args(hint)[0], True
    if isinstance(hint, types.UnionType):
        return next(arg for arg in typing.get_args(hint) if arg is not type(None)), False
    return hint, False


def make_settings(table: type[T], *sources: tuple[str, Mapping[str, Any]]) -> T:
    """Build the settings from `(where, values)` sources, the first that names a setting winning.

    `where` is a pattern for error messages in which `{name}`, `{flag}` and `{env}` are replaced.
    """
    values = {}
    known = settings_of(table)
    for where, given in sources:
        unknown = sorted(set(given) - {row.name for row in fields(table)})  # type: ignore[arg-type]
        if unknown:
            place = where.format(name=unknown[0], flag=unknown[0], env=unknown[0])
            raise UsageError(f"{place}: there is no such setting.")
    for row in known:
        for where, given in sources:
            if given.get(row.name) is not None:
                variable = getattr(given, "variables", {}).get(row.name, row.env)
                place = where.format(name=row.name, flag=row.flag, env=variable)
                values[row.name] = row.parse(given[row.name], place)
                break
    for where, given in sources:
        if table is CrawlSettings and given.get("host"):
            values["host"] = _host_tables(given["host"], where.format(name="", flag="", env=""))
            break
    return table(**values)


def _host_tables(given: Any, where: str) -> dict[str, HostSettings]:
    """Return the settings of single hosts; a name may be `*.example.org`."""
    place = f"{TOML_FILE}, " if TOML_FILE in where else ""
    if not isinstance(given, Mapping):
        raise UsageError(f'{place}host: this is no table; write [host."example.org"].')
    tables = {}
    for name, values in given.items():
        bare = name.strip().lower().removeprefix("http://").removeprefix("https://")
        if not isinstance(values, Mapping) or "/" in bare or not bare:
            raise UsageError(
                f'{place}[host."{name}"]: this is no table of settings for a host, or '
                '"example.org" would do as its name.'
            )
        row = f'{place}[host."{name}"] '.replace("{", "{{").replace("}", "}}") + "{name}"
        tables[name.strip().lower()] = make_settings(HostSettings, (row, values))
    return tables


class FromEnv(dict[str, Any]):
    """What an environment sets, and by which variable each was really set."""

    def __init__(self) -> None:
        super().__init__()
        self.variables: dict[str, str] = {}


def settings_from_env(table: type, environ: Mapping[str, str]) -> FromEnv:
    """Return what the environment sets: `TELUSUR_*`, and the historic names of some settings."""
    found = FromEnv()
    for row in settings_of(table):
        variable = next((name for name in (row.env, row.historic_env) if environ.get(name)), "")
        if variable:
            value = environ[variable]
            found[row.name] = value.split(row.env_separator) if row.many else value
            found.variables[row.name] = variable
    return found
