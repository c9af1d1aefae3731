"""Where settings come from: flags, then the environment, then `.env`, then `telusur.toml`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from telusur.errors import UsageError
from telusur.settings import TOML_FILE, CrawlSettings, make_settings, settings_from_env

T = TypeVar("T")
ENV_FILE = ".env"
START_URLS = ("TELUSUR_START_URLS", "CRAWLER_START_URLS")


class Config:
    """The settings around a command, read from the working directory and the environment."""

    def __init__(self, directory: Path, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._env_file = _read_env_file(directory / ENV_FILE)
        self._toml = _read_toml(directory / TOML_FILE)

    def settings(self, table: type[T], section: str, flags: Mapping[str, Any]) -> T:
        """Return the settings of one command, the nearest source of each winning.

        A crawl also has those of single hosts: the tables `[host."example.org"]`.
        """
        values = self._section(section)
        if table is CrawlSettings:
            values = {**values, "host": self._toml.get("host")}
        return make_settings(
            table,
            ("{flag}", flags),
            ("the environment variable {env}", settings_from_env(table, self._environ)),
            (f"{ENV_FILE}, {{env}}", settings_from_env(table, self._env_file)),
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


def _read_env_file(path: Path) -> dict[str, str]:
    """Read `NAME=value` lines; `#` begins a comment line, quotes around a value are dropped."""
    values = {}
    for number, line in enumerate(_read(path).splitlines(), 1):
        line = line.strip().removeprefix("export ")  # noqa: PLW2901
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals:
            raise UsageError(f"{path.name}, line {number}: {line!r} is not NAME=value.")
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
