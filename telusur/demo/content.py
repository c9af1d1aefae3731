"""The written texts: files of `key: value` heads and bodies, several texts to a file."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from telusur.demo.markup import to_plain

_ROOT = Path(__file__).parent / "content"
_BETWEEN_TEXTS = re.compile(r"^====+\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DemoText:
    """One written text: its head as fields, its body in the small markup."""

    fields: dict[str, str]
    body: str
    file: str

    @property
    def title(self) -> str:
        """Return the title."""
        return self.fields["title"]

    @property
    def slug(self) -> str:
        """Return the last part of its path: given in the head, or made from the title."""
        return self.fields.get("slug") or slugify(self.title)

    @property
    def plain(self) -> str:
        """Return the body as plain text."""
        return to_plain(self.body)

    def get(self, name: str) -> str:
        """Return a field of the head, empty if it is missing."""
        return self.fields.get(name, "")

    def list(self, name: str) -> tuple[str, ...]:
        """Return a field that holds several values separated by commas."""
        return tuple(item.strip() for item in self.get(name).split(",") if item.strip())


def slugify(title: str) -> str:
    """Return the title as the last part of a path: lower-case ASCII words with hyphens."""
    title = title.replace("ı", "i").replace("ß", "ss")
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_title.lower()).strip("-")[:70].strip("-")


@cache
def read_texts(folder: str) -> tuple[DemoText, ...]:
    """Return all texts of a folder of the content, file by file."""
    texts: list[DemoText] = []
    for path in sorted((_ROOT / folder).glob("*.md")):
        parts = _BETWEEN_TEXTS.split(path.read_text(encoding="utf-8"))
        texts += [_parse(part, path.stem) for part in parts if part.strip()]
    return tuple(texts)


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return a table of facts from which pages are made."""
    return tomllib.loads((_ROOT / f"{name}.toml").read_text(encoding="utf-8"))


def _parse(source: str, file: str) -> DemoText:
    head, _, body = source.strip().partition("\n\n")
    pairs = (line.partition(":") for line in head.split("\n"))
    return DemoText({key.strip(): value.strip() for key, _, value in pairs}, body, file)
