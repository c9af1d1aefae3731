"""The command line: `telusur COMMAND`. Exit 0 done, 1 ran but found nothing, 2 cannot run."""

import difflib
import importlib
import re
import signal
import sys
from typing import Any

import click

from telusur.cli.streams import (
    complain,
    give_up_output,
    open_standard_streams,
    print_any_text,
    sentence_about,
)
from telusur.cli.values import check_values
from telusur.version import __version__

COMMANDS = {
    "crawl": "Crawl from start URLs into a collection.",
    "search": "Search a collection.",
    "why": "Show the history of a URL.",
    "export": "Write a collection's pages or URLs as JSON lines.",
    "serve": "Show a collection in the browser, with a JSON API.",
    "graph": "Write the link graph of a collection as data or as a picture.",
    "compare": "Compare strategies on the same start URLs and budget.",
    "mark": "Mark pages as good or bad, for strategies that learn.",
    "related": "Show pages on the same subject as a page of the collection.",
    "words": "Set or show the stop words, common words and synonyms of a collection.",
    "topics": "Show the most frequent words by root, with their forms and counts.",
    "terms": "Show the index statistics of a word, or of the words of a page.",
    "show": "Show the parts of a page: forms, tables, scripts, images, lists, styles, links.",
    "audit": "Report what is broken, moved, slow, duplicated or missing on the sites of a "
    "collection.",
    "files": "List the files of one kind on the crawled sites: images, PDFs and others.",
    "sitemap": "Write a sitemap of the pages found on a site.",
    "extract": "Show the content of a page as text, Markdown, JSON, XML or HTML.",
    "xml": "Write any HTML as well-formed XML.",
    "save": "Save pages of a collection for reading offline.",
    "join": "Join pages of a collection into one document.",
    "pull": "Extract text from a collection with a regular expression.",
    "index": "Index documents that are not indexed yet, or settle the index.",
    "reindex": "Extract all archived pages again, index them, and settle the index.",
    "verify": "Check that archive, catalogue, frontier and index agree.",
    "status": "Show what a crawl is doing and what a collection contains.",
    "pause": "Pause a running crawl.",
    "resume": "Resume a paused crawl.",
    "limit": "Change the limits of a running crawl.",
    "stop": "Stop a running crawl; everything is saved.",
    "clusters": "Show which blocks of a site look alike, label them, and export them for training.",
    "label": "Write the blocks of pages with their labels, for you to correct.",
    "train": "Train a model to tell the content of pages from the rest.",
    "evaluate": "Measure how well engines label the blocks of labelled pages.",
    "demo": "Crawl and search a small demo web that Telusur serves itself.",
    "completion": "Print the completion script for your shell.",
}


class _ReaderIsGone(Exception):  # noqa: N818 - not a fault
    """The program that reads our output has closed the pipe, for example `head`."""


class _Commands(click.Group):
    """Loads a command's module when it is used, so that `telusur --help` is quick."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would exit with code 1
            raise _ReaderIsGone from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the named command; suggest the nearest one if it is unknown."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"telusur.cli.{name}").command
        for param in command.params:
            check_values(param)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="telusur", message="%(prog)s %(version)s")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="When to colour the output; NO_COLOR is honoured.",
)
@click.pass_context
def telusur(context: click.Context, color: str) -> None:
    """Crawl the part of the web you choose, keep it, and search it."""
    from telusur.cli.program import program

    if context.invoked_subcommand is None:
        click.echo(f"{context.get_help()}\n\nNew here? Try `{program()} demo`.")


def main() -> None:
    """Run the command line and exit with its code."""
    open_standard_streams()
    code = run(sys.argv[1:])
    # The work is done. Python takes a moment to end, and Ctrl-C in it would replace the exit code.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command; each expected failure is one sentence on standard error."""
    from telusur.errors import TelusurError

    print_any_text()
    try:
        code = telusur.main(arguments, prog_name="telusur", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.UsageError as error:
        return _fail(_sentence_of(error), error.ctx)
    except click.ClickException as error:
        return _fail(error.format_message(), None)
    except TelusurError as error:
        return _fail(str(error), None)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except (BrokenPipeError, _ReaderIsGone):
        give_up_output()
        return 0
    except OSError as error:
        return _fail(sentence_about(error), None)


def _sentence_of(error: click.UsageError) -> str:
    """Return what click complains of in one line; it lists missing choices one per line."""
    text = re.sub(r"\s*\n\s*", " ", error.format_message().strip())
    return text if text.endswith((".", "?")) else f"{text}."


def _fail(sentence: str, context: click.Context | None) -> int:
    from telusur.cli.program import as_typed

    hint = f" Try `{context.command_path} --help`." if context is not None else ""
    complain(as_typed(f"{sentence}{hint}"))
    return 2
