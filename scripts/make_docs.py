"""Write docs/settings.md, docs/cli.md and docs/fields.md from the code they describe.

python scripts/make_docs.py            writes them
python scripts/make_docs.py --check    writes nothing; exit code 1 when one is out of date
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_type_hints

import click

from telusur.cli import COMMANDS, telusur
from telusur.document_table import DOCUMENT_FIELDS, SEARCHED
from telusur.documents import PAGE_FIELDS, SITE, DocumentField
from telusur.extract.writing.part_records import PART_TYPES
from telusur.models import RankedPage
from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import settings_of
from telusur.settings.row import Setting

DOCS = Path(__file__).parent.parent / "docs"
NOTE = "<!-- Made by scripts/make_docs.py from the code; change it there. -->\n"
SECTIONS = {"crawl": CrawlSettings, "serve": ServeSettings}
HELP_COLUMNS = 90

SETTINGS_HEAD = """\
# Settings

Each setting exists once, in a table in `telusur/settings/`; this page is made from it. You may give
a setting in four places. The first that names it wins:

1. a flag: `telusur crawl --pages 100 ...`
2. an environment variable: `TELUSUR_PAGES=100`
3. a line of the file `.env` in the working directory: `TELUSUR_PAGES=100`
4. `telusur.toml` in the working directory, in the section of the command: `pages = 100`

In Python the name is an argument: `collection.crawl(urls, pages=100)`. Python reads neither the
environment nor the files.

```toml
# telusur.toml
[crawl]
pages = 100
exclude = ["/login", "[?&]sort="]
user_agent = "Telusur/{version} (+https://example.org/about-my-crawler)"

[serve]
port = 9000
```

- `true`, `yes`, `on` and `1` turn a switch on; `false`, `no`, `off` and `0` turn it off.
- A setting that may be repeated is a list in `telusur.toml` and in Python. In a variable, blanks
  separate its values, and line ends those of `TELUSUR_HEADER`.
- A value that makes no sense, or is out of its range, stops the command with one sentence and
  exit code 2.
- An empty variable counts as not given. A name that `telusur.toml` should not have is an error, and
  so is a variable that begins with `TELUSUR_` and is none of these.
- The two files count because they lie in the working directory, where a download or a colleague may
  have put them. So neither may name code or programs to run (`hooks`, a file as `strategy`,
  `browser`) nor decide whose certificates are trusted (`insecure`, `ca_bundle`). `.env` belongs to
  other programs as well: there `proxy`, `cookies` and other files to read, `password_file`,
  `trust_header` and `trust_proxy` are refused too. Type the flag, or set the variable in your
  shell ([why](decisions/0044-what-a-stranger-may-decide.md)).
"""

SETTINGS_FOOT = """\
## Variables that are not settings

| variable | meaning |
|---|---|
| `TELUSUR_START_URLS` | start URLs for `crawl` when none is named; blanks or commas separate |
| `CRAWLER_START_URLS` | the historic name of the same |
| `TELUSUR_TO` | the collection for `crawl` without `--to` |
| `NO_COLOR` | no colour, as with `--color never` |

All but the last may stand in `.env` too.
"""

CLI_HEAD = """\
# Command line

What each command answers to `--help`. [Settings](settings.md) says where else values come from.

- The answer goes to standard output, the talk to standard error.
- With `--json`, `crawl` writes one object a line, each with a `type`; the last is the `summary`.
- On a terminal `crawl` shows one live line; in a pipe it writes a line a minute.

| exit code | meaning |
|---|---|
| 0 | done; pages that failed are counted, not fatal |
| 1 | ran, but there is nothing: nothing fetched, found or known |
| 2 | wrong use, or cannot run; one sentence on standard error says why |
| 130 | stopped at once by a second Ctrl-C |
"""


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    if not parser.parse_args().check:
        for name, make in PAGES.items():
            (DOCS / name).write_text(make(), encoding="utf-8")
        return 0
    old = out_of_date()
    for name in old:
        print(f"docs/{name}: out of date; run: python scripts/make_docs.py", file=sys.stderr)
    return 1 if old else 0


def out_of_date(docs: Path = DOCS) -> list[str]:
    """Return the names of the pages that do not say what the code says."""
    return [name for name, make in PAGES.items() if _read(docs / name) != make()]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def settings_page() -> str:
    """Return docs/settings.md."""
    parts = [NOTE, SETTINGS_HEAD]
    for section, table in SECTIONS.items():
        rows = "\n".join(_settings_row(row) for row in settings_of(table))
        parts.append(
            f"## `telusur {section}`\n\n"
            "| name | flag | variable | default | range | meaning |\n|---|---|---|---|---|---|\n"
            f"{rows}\n"
        )
    return "\n".join([*parts, SETTINGS_FOOT])


def _settings_row(row: Setting) -> str:
    variables = [f"`{name}`" for name in (row.env, row.historic_env) if name]
    cells = [
        f"`{row.name}`",
        f"`{_flag_with_value(row)}`",
        ", also ".join(variables),
        _default(row),
        _range(row),
        row.help,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _flag_with_value(row: Setting) -> str:
    if row.kind is bool:
        return row.flag
    number = {int: "N", float: "N"}.get(row.kind, "TEXT")
    return f"{row.flag} {'|'.join(row.choices) or row.metavar or number}"


def _default(row: Setting) -> str:
    if row.kind is bool:
        return "on; the flag turns it off" if row.default else "off"
    return "" if row.default in (None, "", ()) else f"`{row.default}`"


def _range(row: Setting) -> str:
    if row.minimum is None or row.maximum is None:
        return ""
    return f"{row.minimum:,} to {row.maximum:,}"


def cli_page() -> str:
    """Return docs/cli.md."""
    return "\n".join([NOTE, CLI_HEAD, *_helps()])


def _helps() -> Iterator[str]:
    root = _context(telusur, "telusur", None)
    yield _help("telusur", root)
    for name in COMMANDS:
        command = telusur.get_command(root, name)
        assert command is not None
        yield _help(f"telusur {name}", _context(command, name, root))


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    settings = telusur.context_settings
    return command.context_class(
        command, parent=parent, info_name=name, terminal_width=HELP_COLUMNS, **settings
    )


def _help(title: str, context: click.Context) -> str:
    return f"## {title}\n\n```\n$ {title} --help\n{context.get_help()}\n```\n"


FIELDS_HEAD = """\
# Fields of a page

Each field of a document exists once, in the class `Document` of `telusur/models.py`; this page is
made from that table. All fields but `site` are in [`telusur export`](cli.md#telusur-export), those
of documents also in `/page.json` and in `collection.document(url)`.
"""

PAGE_HEAD = """\
## Of the fetch

| field | type | meaning |
|---|---|---|"""

DOCUMENT_HEAD = """\
## Of the document

Empty for a page that became no document: a redirect, an error, a file that is not read.

- **Query**: the [words of a query](search.md) that ask for the field, and the facets that count it.
- **Hits**: whether hits have it: `telusur search --json`, `/search.json` and `hit.NAME`.
- **Column**: the name for [`--columns`](search.md#search-in-columns).
- **Weight**: how often its words count in the index, and in which place.
- **Since**: the format of the collection that has it. Documents of an older collection have it
  when their page is fetched again; `telusur reindex` fills in what the page itself says.

| field | type | meaning | query | hits | column | weight | since |
|---|---|---|---|---|---|---|---|"""

PARTS_HEAD = """\
## Parts

`telusur export --parts` adds what a page is made of: lists of objects, null for a page without
content. Links are as the crawl found them, the rest is read from the archive.

| part | an object has |
|---|---|"""

OF_EVERY_HIT = get_type_hints(RankedPage)

_TYPES = {str: "text", int: "whole number", float: "number", bool: "true or false",
          list: "list", dict: "object"}  # fmt: skip


def fields_page() -> str:
    """Return docs/fields.md."""
    pages = [f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in PAGE_FIELDS]
    stored = [row for row in (*DOCUMENT_FIELDS, SITE) if row.is_stored and row.name != "url"]
    parts = [f"| `{name}` | {_keys_of(kind)} |" for name, kind in PART_TYPES.items()]
    return "\n".join(
        [NOTE, FIELDS_HEAD, PAGE_HEAD, *pages, "", DOCUMENT_HEAD, *map(_field_row, stored), "",
         PARTS_HEAD, *parts, ""]
    )  # fmt: skip


def _field_row(row: DocumentField) -> str:
    words = [facet.word for facet in row.facets if facet.word] + list(row.words)
    asked = [f"`{word}:`" for word in words] + [f"facet `{facet.name}`" for facet in row.facets]
    is_column = row.short_name in SEARCHED
    cells = [
        f"`{row.name}`",
        _TYPES[row.plain_type] + (" or null" if row.is_optional else ""),
        row.help,
        ", ".join(asked),
        "yes" if row.hits_since or row.name in OF_EVERY_HIT else "",
        f"`{row.short_name}`" if is_column else "",
        "h1: 2, h2 to h6: 1" if row.place == "headings" else _weight(row),
        str(row.since),
    ]
    return "| " + " | ".join(cells) + " |"


def _weight(row: DocumentField) -> str:
    return f"{row.weight} in `{row.place}`" if row.place else ""


def _keys_of(record: type) -> str:
    return ", ".join(f"`{name}`" for name in get_type_hints(record))


PAGES: dict[str, Callable[[], str]] = {
    "settings.md": settings_page,
    "cli.md": cli_page,
    "fields.md": fields_page,
}

if __name__ == "__main__":
    sys.exit(main())
