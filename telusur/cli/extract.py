"""`telusur extract`: the content of a page without menus, ads and other clutter."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from telusur.cli.blocks import describe_block
from telusur.cli.options import as_json, given
from telusur.cli.output import answer_json, console, printable, say
from telusur.cli.sources import Source, read_sources
from telusur.errors import UsageError
from telusur.extract.content.model import Model, load_model
from telusur.extract.document import PageReading
from telusur.extract.drawn import label_drawn
from telusur.extract.writing.formats import (
    FORMATS,
    Extras,
    block_record,
    document_record,
    read_content,
    write_content,
)
from telusur.extract.writing.pattern import PatternMatch, compile_pattern
from telusur.reports.pull_text import MATCH_SECONDS, matches_in_time

Read = tuple[Source, PageReading]


@click.command("extract")
@click.argument("sources", nargs=-1, required=True, metavar="FILE|URL|-...")
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default=None,
    help="The output format. [default: text]",
)  # fmt: skip
@click.option(
    "--blocks", is_flag=True,
    help="Show every block of the page instead: label, text, path; if rendered, also bounds "
    "and CSS.",
)  # fmt: skip
@click.option(
    "--comments", is_flag=True,
    help="Also show the comments of readers, each with author and date if it has them.",
)  # fmt: skip
@click.option("--raw-html", is_flag=True, help="Also show the HTML of rendered blocks.")
@click.option(
    "--pattern", metavar="REGEX", help="Show only matches of this regular expression, one per row."
)
@click.option(
    "--content", type=click.Choice(["article", "text"]), default="article", show_default=True,
    help="Extract the main content (article), or all visible text (text).",
)  # fmt: skip
@click.option(
    "--render", type=click.Choice(["never", "auto", "always"]), default=None,
    help="Load a page in a browser if it is empty without JavaScript (auto), always, or never."
    "  [default: auto for a URL, never for a FILE]",
)  # fmt: skip
@click.option("--url", default="", help="The URL of a FILE, to resolve its relative links.")
@click.option(
    "--model", type=click.Path(path_type=Path), help="Use this model, made by `telusur train`."
)
@click.option(
    "--allow-private", is_flag=True, default=None, help="Allow fetching from private addresses."
)
@as_json
def command(  # noqa: PLR0917 - click passes them by name
    sources: tuple[str, ...],
    form: str | None,
    blocks: bool,
    comments: bool,
    raw_html: bool,
    pattern: str | None,
    content: str,
    render: str | None,
    url: str,
    model: Path | None,
    allow_private: bool | None,
    as_json: bool,
) -> int:
    """Show the content of a page as text, Markdown, JSON, XML or HTML.

    A page is a FILE, a URL, or - for standard input. Several pages are written one after the other,
    as JSON one per line. Exit code 1 when there is nothing to read or no match.
    """
    form = _form(form, as_json, several=len(sources) > 1 and not (blocks or pattern))
    search = compile_pattern(pattern) if pattern is not None else None
    if raw_html and not (blocks and render in ("auto", "always")):
        raise UsageError("--raw-html needs rendered blocks; add --blocks --render always.")
    flags = given({"allow_private": allow_private, "render": render, "content": content})
    pages = read_sources(sources, url, flags, blocks=blocks)
    readings = _read_all(pages, content, load_model(model) if model is not None else None)
    if search is not None:
        return _tell_matches(readings, search, form, with_names=len(sources) > 1)
    if blocks and form != "xml":
        return _tell_blocks(readings, form, with_html=raw_html)
    return _tell_contents(readings, form, Extras(blocks, comments))


def _form(form: str | None, as_json: bool, *, several: bool) -> str:
    if as_json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} do not go together.")
    form = "json" if as_json else form or "text"
    if several and form in ("xml", "html"):
        raise UsageError(f"--format {form} is one document; name one page, or use --format json.")
    return form


def _read_all(pages: Iterator[Source], content: str, model: Model | None) -> Iterator[Read]:
    for page in pages:
        reading = read_content(
            page.html,
            page.url,
            content_type=page.content_type,
            content=content,
            model=model,
            sheets=page.sheets,
        )
        if page.blocks:
            reading.document.blocks = label_drawn(page.blocks, reading.document.blocks)
        yield page, reading


def _tell_contents(readings: Iterator[Read], form: str, wanted: Extras) -> int:
    count = 0
    for page, reading in readings:
        if count and form != "json":
            sys.stdout.write("\n")
        count += bool(reading.document.text)
        if form == "json":
            answer_json({**document_record(reading.document, wanted), "source": page.name})
        else:
            _answer(write_content(reading, form, wanted))
    return 0 if count else 1


def _answer(text: str) -> None:
    """Print a text as it is; on a terminal, without control characters."""
    if sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    sys.stdout.write(text + "\n" if text else "")


def _tell_blocks(readings: Iterator[Read], form: str, *, with_html: bool) -> int:
    from rich.text import Text

    count = 0
    out = console()
    for page, reading in readings:
        for block in reading.document.blocks:
            count += 1
            if form == "json":
                answer_json({"type": "block", "source": page.name, **block_record(block)})
            else:
                rows = map(printable, describe_block(block, with_html=with_html))
                out.print(Text("\n".join(rows)))
    return 0 if count else 1


def _tell_matches(
    readings: Iterator[Read], pattern: re.Pattern[str], form: str, *, with_names: bool
) -> int:
    count = 0
    for page, reading in readings:
        found = matches_in_time(pattern, reading.document.text)
        if found is None:
            say_too_long(page.name)
        for match in found or ():
            count += 1
            tell_match(match, "source", page.name, as_json=form == "json", with_name=with_names)
    return 0 if count else 1


def say_too_long(name: str) -> None:
    """Report that a page was skipped, and why."""
    say(f"{printable(name)}: skipped: matching the pattern takes longer than {MATCH_SECONDS:g} s.")


def tell_match(
    match: PatternMatch, kind: str, name: str, *, as_json: bool, with_name: bool
) -> None:
    """Print a match: one row, or one JSON record."""
    from rich.text import Text

    if as_json:
        record: dict[str, Any] = {"type": "match", kind: name, "match": match.text}
        answer_json({**record, "groups": match.groups, "start": match.start})
        return
    shown = " | ".join(group or "" for group in match.groups.values()) or match.text
    prefix = f"{printable(name)}: " if with_name else ""
    console().print(Text(prefix + printable(shown)))
