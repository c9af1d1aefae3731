"""The command line: `telusur COMMAND`. Exit 0 done, 1 ran but found nothing, 2 cannot run."""

import importlib
import os
import sys
from typing import Any

import click

from telusur.version import __version__

COMMANDS = {
    "crawl": "Crawl from these URLs into a collection.",
    "search": "Search a collection.",
    "why": "Tell the whole story of a URL.",
    "export": "Write a collection's pages or URLs as JSON lines.",
    "serve": "Show a collection in the browser, with a JSON API.",
    "graph": "Write the pages of a collection and the links between them, or a picture of them.",
    "compare": "Compare strategies on the same start URLs and budget.",
    "mark": "Call pages good or bad, so that strategies that learn know it.",
    "related": "Show pages that are about the same as a page of the collection.",
    "words": "Set or show the stop words, common words and synonyms of a collection.",
    "topics": "Show the most frequent words by root, with their forms and counts.",
    "terms": "Show what the index knows of a word, or of the words of a page.",
    "show": "Show the parts of a page: forms, tables, scripts, images, lists, styles, links.",
    "audit": "Tell what is broken, moved, slow, repeated or missing on the sites of a collection.",
    "files": "List the files of a kind that sites have: pictures, PDFs, and others.",
    "sitemap": "Write a sitemap of what a crawl found on a site.",
    "extract": "Show what a page says: its content as text, Markdown, JSON, XML or HTML.",
    "xml": "Write any HTML as well-formed XML.",
    "save": "Save pages of a collection for reading offline.",
    "join": "Join pages of a collection into one document.",
    "pull": "Pull text out of a collection by a regular expression.",
    "index": "Index what is in the collection and not in its index, or settle the index.",
    "reindex": "Extract all pages again from the archive, index them, settle the index.",
    "verify": "Check that archive, catalogue, frontier and index tell the same story.",
    "status": "Show what a crawl is doing, and what a collection has.",
    "pause": "Have a running crawl start no more requests.",
    "resume": "Have a paused crawl go on.",
    "limit": "Have a running crawl go on under other limits.",
    "stop": "Have a running crawl save and stop.",
    "label": "Write the blocks of pages with their labels, for you to correct.",
    "train": "Teach a model to tell the content of pages from what is around it.",
    "evaluate": "Tell how well engines label the blocks of labelled pages.",
    "demo": "Crawl and search a small web that Telusur serves itself.",
    "completion": "Print the completion script for your shell.",
}


class _ReaderIsGone(Exception):  # noqa: N818 - not a fault
    """Whoever read our output has seen enough, for example `head`."""


class _Commands(click.Group):
    """Loads a command's module when it is used, so that `telusur --help` is quick."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would make an exit code of 1 of it
            raise _ReaderIsGone from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"telusur.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="telusur", message="%(prog)s %(version)s")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour in the output; NO_COLOR is honoured.",
)
def telusur(color: str) -> None:
    """Crawl the part of the web you choose, keep it, and search it."""


def main() -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; every failure on purpose is one sentence on standard error."""
    from telusur.errors import TelusurError

    try:
        code = telusur.main(arguments, prog_name="telusur", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.NoSuchOption as error:
        return _fail(error.format_message(), error.ctx)
    except click.UsageError as error:
        return _fail(error.format_message(), error.ctx)
    except click.ClickException as error:
        return _fail(error.format_message(), None)
    except TelusurError as error:
        return _fail(str(error), None)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except (BrokenPipeError, _ReaderIsGone):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _fail(sentence: str, context: click.Context | None) -> int:
    hint = f" Try `{context.command_path} --help`." if context is not None else ""
    print(f"telusur: {sentence}{hint}", file=sys.stderr)
    return 2
