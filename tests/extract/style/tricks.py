"""Reads the cases of tricks.txt: pages that hide a text, with their style sheets."""

from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("tricks.txt")
#: Sheets that others import.
IMPORTED = {
    "more.css": "@import 'again.css'; .imported { display: none }",
    "again.css": ".twice { visibility: hidden }",
    "paper.css": ".paper { display: none }",
}


class Trick(NamedTuple):
    """A page and its sheet."""

    title: str
    css: str
    body: str

    def page(self, sheet_url: str) -> str:
        """Return the page, which links its sheet by this URL."""
        links = "" if "sheet: none" in self.title else f'<link rel="stylesheet" href="{sheet_url}">'
        if "outside:" in self.title:
            links += '<link rel="stylesheet" href="http://outside.example/x.css">'
        head = f"<head><title>{self.title}</title>{links}</head>"
        return f"<!doctype html><html>{head}<body>{self.body}</body></html>"


def read_tricks() -> list[Trick]:
    """Return all cases, in order."""
    text = "\n".join(line for line in FILE.read_text().split("\n") if not line.startswith("#"))
    tricks = []
    for case in text.split("\n== ")[1:]:
        title, _, rest = case.partition("\n")
        css, _, body = f"\n{rest}".partition("\n--\n")
        tricks.append(Trick(title.strip(), css.strip(), body.strip()))
    return tricks
