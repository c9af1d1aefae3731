"""`telusur show`: the parts of a page, read from the archive."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import Collection, open_collection
from telusur.errors import UsageError
from telusur.extract.writing.part_records import (
    Form,
    Image,
    ItemList,
    Script,
    Statements,
    Style,
    Table,
)

KINDS = ("metadata", "fields", "forms", "tables", "lists", "images", "scripts", "styles", "links")


@click.command("show")
@click.argument("url")
@to_read
@click.option(
    "--parts", metavar="KINDS", default=",".join(KINDS),
    help=f"Which parts to show, separated by commas: {', '.join(KINDS)}.  [default: all]",
)  # fmt: skip
@as_json
def command(url: str, address: str, parts: str, as_json: bool) -> int:
    """Show the parts of a page: forms, tables, scripts, images, lists, styles, links.

    They are read from the archive, as the page was when it was last fetched; fields are your own
    data. Exit code 1 when the collection does not have the page.
    """
    kinds = _kinds_in(parts)
    with open_collection(address, create=False) as collection:
        found = _find(collection, url, kinds)
    if found is None:
        say(f"{printable(url)}: the collection does not have this page; `telusur why` says why.")
        return 1
    if as_json:
        answer_json({"type": "parts", "url": url, **_plain(found)})
    else:
        for kind, things in found.items():
            _tell(kind, things)
    return 0


def _kinds_in(text: str) -> list[str]:
    kinds = [kind.strip() for kind in text.split(",")]
    unknown = next((kind for kind in kinds if kind not in KINDS), None)
    if unknown is not None:
        raise UsageError(f"--parts: {unknown!r} is not one of {', '.join(KINDS)}.")
    return kinds


def _find(collection: Collection, url: str, kinds: list[str]) -> dict[str, Any] | None:
    parts = collection.parts(url)
    if parts is None:
        return None
    document = collection.document(url)
    stored = {"links": collection.links(url), "fields": document.fields if document else {}}
    return {kind: stored[kind] if kind in stored else getattr(parts, kind) for kind in kinds}


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    """Return records in a form that JSON can hold."""

    def plain(thing: Any) -> Any:
        if isinstance(thing, dict):
            return thing
        return thing._asdict() if hasattr(thing, "_asdict") else asdict(thing)

    return {
        kind: list(map(plain, things)) if isinstance(things, list) else plain(things)
        for kind, things in found.items()
    }


def _tell(kind: str, things: Any) -> None:
    out = console()
    number = f" ({len(things)})" if isinstance(things, list | dict) else ""
    out.print(Text(f"{kind}{number}", style="bold"))
    for thing in things if isinstance(things, list) else [things]:
        for line in _LINES[type(thing).__name__](thing):
            out.print(Text(f"  {printable(line)}"))


def _lines_of_statements(said: Statements) -> Iterator[str]:
    for name, value in asdict(said).items():
        if value and name not in ("meta", "structured"):
            yield f"{name}: {value}"
    for name, values in said.meta.items():
        yield f"meta {name}: {', '.join(values)}"
    for thing in said.structured:
        yield f"structured: {thing}"


def _lines_of_fields(fields: dict[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        yield f"{name}: {value}"


def _lines_of_form(form: Form) -> Iterator[str]:
    yield f"{form.method} {form.action}"
    for field in form.fields:
        choice = f", one of: {', '.join(field.options)}" if field.options else ""
        value = f" = {field.value}" if field.value else ""
        must = ", required" if field.is_required else ""
        yield f"  {field.name or '(no name)'}: {field.kind}{value}{must}{choice}"


def _lines_of_table(table: Table) -> Iterator[str]:
    yield f"{table.caption or 'table'} ({len(table.rows)} rows)"
    for row in table.rows:
        yield "  " + " | ".join(row)


def _lines_of_list(items: ItemList) -> Iterator[str]:
    yield f"{items.kind} ({len(items.items)} items)"
    for item in items.items:
        yield f"  - {item}"


def _lines_of_image(image: Image) -> Iterator[str]:
    size = f" {image.width or '?'}x{image.height or '?'}" if image.width or image.height else ""
    alt = f' "{image.alt}"' if image.alt else ""
    yield f"{image.src or '(no address)'}{size}{alt}"


def _lines_of_code(code: Script | Style) -> Iterator[str]:
    kind = code.kind if isinstance(code, Script) else code.media
    extra = f" ({kind})" if kind else ""
    yield (code.src or f"inline, {code.length} characters") + extra


def _lines_of_link(link: Any) -> Iterator[str]:
    yield f'{link.url} "{link.anchor}"' if link.anchor else link.url


_LINES: dict[str, Any] = {
    "Statements": _lines_of_statements,
    "dict": _lines_of_fields,
    "Form": _lines_of_form,
    "Table": _lines_of_table,
    "ItemList": _lines_of_list,
    "Image": _lines_of_image,
    "Script": _lines_of_code,
    "Style": _lines_of_code,
    "Link": _lines_of_link,
}
