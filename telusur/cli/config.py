"""Where settings come from: flags, then the environment, then `.env`, then `telusur.toml`."""

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from telusur.errors import UsageError
from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import make_settings, settings_from_env, settings_of
from telusur.settings.row import ENV_FILE, TOML_FILE

T = TypeVar("T")
OUR_VARIABLES = "TELUSUR_"
START_URLS = ("TELUSUR_START_URLS", "CRAWLER_START_URLS")
# Variables that are not settings.
_OTHERS = (*START_URLS, "TELUSUR_TO", "TELUSUR_PURE", "TELUSUR_COMPLETE")
_OF_TESTS = "TELUSUR_TEST_"


class Config:
    """The settings of a command, read from the working directory and the environment."""

    def __init__(self, directory: Path, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._env_file = _read_env_file(directory / ENV_FILE)
        _check_names(environ, "the environment variable ")
        _check_names(self._env_file, f"{ENV_FILE}, ")
        self._toml = _read_toml(directory / TOML_FILE)

    def settings(self, table: type[T], section: str, flags: Mapping[str, Any]) -> T:
        """Return the settings of one command; for each, the nearest source wins.

        A crawl also has settings for single hosts: the tables `[host."example.org"]`.
        """
        values = self._section(section)
        if table is CrawlSettings:
            values = {**values, "host": self._toml.get("host")}
        around = settings_from_env(table, self._environ)
        in_file = settings_from_env(table, self._env_file)
        _refuse_danger(table, ENV_FILE, in_file, (flags, around))
        _refuse_danger(table, TOML_FILE, values, (flags, around, in_file))
        return make_settings(
            table,
            ("{flag}", flags),
            ("the environment variable {env}", around),
            (f"{ENV_FILE}, {{env}}", in_file),
            (f"{TOML_FILE}, [{section}] {{name}}", values),
        )

    def start_urls(self) -> list[str]:
        """Return start URLs that the environment or `.env` names, separated by blanks or commas."""
        for source in (self._environ, self._env_file):
            for name in START_URLS:
                if source.get(name):
                    return source[name].replace(",", " ").split()
        return []

    def directory(self) -> str | None:
        """Return the collection that the environment or `.env` names."""
        return self._environ.get("TELUSUR_TO") or self._env_file.get("TELUSUR_TO")

    def _section(self, name: str) -> Mapping[str, Any]:
        section = self._toml.get(name, {})
        if not isinstance(section, dict):
            raise UsageError(f"{TOML_FILE}: [{name}] is not a section.")
        return section


def _check_names(variables: Mapping[str, str], where: str) -> None:
    """Refuse a variable that looks like a setting and is not one."""
    rows = (*settings_of(CrawlSettings), *settings_of(ServeSettings))
    known = {row.env for row in rows} | set(_OTHERS)
    for name in sorted(variables):
        if name.startswith(OUR_VARIABLES) and name not in known and not name.startswith(_OF_TESTS):
            near = difflib.get_close_matches(name, sorted(known), 1)
            advice = f"did you mean {near[0]}?" if near else "`docs/settings.md` lists them."
            raise UsageError(f"{where}{name}: there is no such setting; {advice}")


def _refuse_danger(
    table: type, file: str, values: Mapping[str, Any], nearer: tuple[Mapping[str, Any], ...]
) -> None:
    """Refuse settings that a file in the working directory must not decide.

    The file may be there by chance. A flag or a shell variable overrides it and is the user's own
    wish.
    """
    for row in settings_of(table):
        value = values.get(row.name)
        is_ours = value is not None and all(source.get(row.name) is None for source in nearer)
        if file in row.not_in and is_ours and row.is_dangerous(value):
            name = row.env if file == ENV_FILE else row.name
            typed = row.flag if row.kind is bool else f"{row.flag} {row.metavar or 'TEXT'}"
            raise UsageError(
                f"{file}, {name}: a file in the working directory may not {row.danger}; "
                f"type {typed}, or set {row.env} in your shell."
            )


def _read_env_file(path: Path) -> dict[str, str]:
    """Read `NAME=value` lines; `#` begins a comment line, quotes around a value are dropped."""
    values = {}
    for number, line in enumerate(_read(path).splitlines(), 1):
        line = line.strip().removeprefix("export ")  # noqa: PLW2901
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals:
            # The line is not shown: it may be part of a password or a key.
            raise UsageError(f"{path.name}, line {number}: expected NAME=value.")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[name.strip()] = value
    return values


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path.name}: {error}.") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path.name}: cannot be read ({error}).") from None
