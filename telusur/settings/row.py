"""One setting: how it is declared in a table, and how one value of it is read and checked."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from telusur.errors import UsageError

TOML_FILE = "telusur.toml"
ENV_FILE = ".env"
_BOTH = (ENV_FILE, TOML_FILE)
# Settings that a file in the working directory may not contain; see `Setting.danger`.
CODE = {"danger": "name code to run", "not_in": _BOTH}
PROGRAM = {"danger": "name a program to run", "not_in": _BOTH}
TRUST = {"danger": "choose whose certificates are trusted", "not_in": _BOTH}
FILE = {"danger": "name a file to read", "not_in": (ENV_FILE,)}
WAY_OUT = {"danger": "choose where requests go", "not_in": (ENV_FILE,)}
VISITORS = {"danger": "choose who is let in", "not_in": (ENV_FILE,)}
# An upper bound no crawl reaches; it fits into every file format we use.
MANY = 10**15
A_DAY = 86_400
LARGEST_PAGE = 2_000_000_000
# In characters; a command line cannot be much longer.
LONGEST_TEXT = 100_000
_SHOWN_CHARS = 60
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def setting(default: Any, help: str, **more: Any) -> Any:
    """Declare one setting: its default, its help, and its limits (see `Setting`)."""
    return field(default=default, metadata={"help": help, **more})


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table, as the command line, the environment and the docs see it."""

    name: str
    kind: type
    default: Any
    help: str
    #: What `--no-index` does, the flag of a switch that is on; `help` is about the field.
    off: str = ""
    many: bool = False
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    historic_env: str = ""
    # What separates several values in an environment variable; any blank unless set.
    env_separator: str | None = None
    # The text may have several lines.
    lines: bool = False
    # The values are `name=value`; in a file they may be a table.
    pairs: bool = False
    # The text is sent in a header.
    one_line: bool = False
    # What a file that happens to lie in the working directory must not do.
    danger: str = ""
    # The files that must not set it: who unpacks an archive has not chosen what is in it.
    not_in: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """Return the command-line flag; a switch that is on by default is spelled `--no-...`."""
        name = self.name.replace("_", "-")
        return f"--no-{name}" if self.kind is bool and self.default else f"--{name}"

    @property
    def env(self) -> str:
        """Return the environment variable."""
        return f"TELUSUR_{self.name.upper()}"

    def is_dangerous(self, value: Any) -> bool:
        """Tell whether a value does what it must not do in a file of the working directory."""
        words = [value] if isinstance(value, str) else value
        if self.name == "strategy":
            return is_own_file(str(value))
        if self.name == "like":
            return not all(str(word).startswith(("http://", "https://")) for word in words)
        if self.kind is bool:
            return BOOL_WORDS.get(str(value).strip().lower()) is not self.default
        return bool(self.danger)

    def parse(self, value: Any, source: str) -> Any:
        """Return `value` as this setting's type, or raise one clear sentence naming `source`."""
        if value is None:
            return self.default
        if self.many:
            if self.pairs and isinstance(value, Mapping):
                value = [f"{name}={one}" for name, one in value.items()]
            items = value if isinstance(value, (list, tuple)) else [value]
            return tuple(self._parse_one(item, source) for item in items)
        return self._parse_one(value, source)

    def _parse_one(self, value: Any, source: str) -> Any:
        try:
            parsed = _PARSERS[self.kind](value)
        except (TypeError, ValueError, KeyError, OverflowError):
            sentence = f"{_shown(value)} is not {_KIND_NAMES[self.kind]}."
            raise UsageError(f"{source}: {sentence}") from None
        if self.one_line:
            check_one_line(parsed, source)
        if why := self._objection(parsed, value):
            raise UsageError(f"{source}: {why}.")
        return parsed

    def _objection(self, value: Any, given: Any) -> str:
        """Return what is wrong with a value of the right type, or nothing."""
        if self.minimum is not None and value < self.minimum:
            return f"{_shown(given, str)} is too small; the least is {_number(self.minimum)}"
        if self.maximum is not None and value > self.maximum:
            return f"{_shown(given, str)} is too large; the most is {_number(self.maximum)}"
        if self.choices and value not in self.choices:
            return f"there is no {_shown(value)}; choose one of {', '.join(self.choices)}"
        return self._objection_to_text(value) if isinstance(value, str) else ""

    def _objection_to_text(self, text: str) -> str:
        if len(text) > LONGEST_TEXT:
            return f"{len(text):,} characters are too many; the most is {LONGEST_TEXT:,}"
        found = _CONTROL.search(text.replace("\n", "") if self.lines else text)
        if found is None:
            return ""
        # The text is not repeated: it may be a password.
        return f"this has a control character in it, {found[0]!r}; leave it out"


def _shown(value: Any, how: Callable[[Any], str] = repr) -> str:
    """Return a value for a sentence, cut where nobody would read on."""
    if isinstance(value, int) and abs(value) > MANY * MANY:
        return "this number"
    text = how(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _number(value: float) -> str:
    return f"{value:g}" if abs(value) < 1 else f"{value:,.6f}".rstrip("0").rstrip(".")


def _parse_int(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise ValueError(value)
    return int(value)


def _parse_float(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(value)
    return number


def _parse_text(value: Any) -> str:
    if isinstance(value, (bool, bytes, Mapping, list, tuple, set)):
        raise TypeError(value)
    return str(value)


_TRUE_WORDS = {"1": True, "true": True, "yes": True, "on": True}


#: What people write for yes and no, here and in addresses of the workbench.
BOOL_WORDS = _TRUE_WORDS | {"0": False, "false": False, "no": False, "off": False}


_PARSERS: dict[type, Any] = {
    int: _parse_int,
    float: _parse_float,
    str: _parse_text,
    bool: lambda value: BOOL_WORDS[str(value).strip().lower()],
}


_KIND_NAMES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def is_own_file(strategy: str) -> bool:
    """Tell whether a strategy is the user's own Python file, not a name."""
    return strategy.endswith(".py")


def check_one_line(text: str, source: str) -> None:
    """Refuse text that would break the header it is sent in, or cannot be sent in one."""
    if not text.isascii() or not text.isprintable():
        raise UsageError(
            f"{source}: the value has a line break, a control character or a character "
            "outside ASCII; write it as plain ASCII text on one line."
        )
