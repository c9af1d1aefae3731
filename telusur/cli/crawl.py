"""`telusur crawl`: crawl from these URLs into a collection."""

import os
import sys
from pathlib import Path
from typing import Any

import click

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.adapters.memory import seek_garbage_seldom
from telusur.cli.config import Config
from telusur.cli.crawl_report import watch
from telusur.cli.options import as_json, flags_of, given
from telusur.cli.output import say
from telusur.collection import open_collection
from telusur.errors import UsageError
from telusur.run.crawl import make_plan
from telusur.settings import CrawlSettings


@click.command("crawl")
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option("--to", "directory", metavar="DIR", help="The collection to crawl into.")
@flags_of(CrawlSettings)
@as_json
def command(urls: tuple[str, ...], directory: str | None, as_json: bool, **flags: Any) -> int:
    """Crawl from these URLs into a collection.

    The same command on the same DIR goes on where it stopped. Press Ctrl-C once to save and stop.
    Exit code 0: done; 1: ran, but there is nothing; 2: cannot run.
    """
    config = Config(Path.cwd(), os.environ)
    settings = config.settings(CrawlSettings, "crawl", given(flags))
    target = directory or config.directory()
    if target is None:
        raise UsageError("Where to? Name a directory for the collection with --to DIR.")
    start_urls = [*urls, *_read_urls(settings.urls_from)] or config.start_urls()
    make_plan(start_urls, settings)  # complain before a directory is made
    if not start_urls and not Path(target).exists():
        raise UsageError("There is nothing to crawl: name at least one start URL.")
    seek_garbage_seldom()
    with open_collection(target) as collection:
        with watch(Path(target), as_json=as_json) as watcher:
            summary = collection.run_crawl(
                start_urls,
                settings,
                report=watcher.report,
                report_every=watcher.every_seconds,
                on_interrupt=watcher.interrupted,
            )
        counts = collection.counts()
        watcher.summarise(summary, counts)
        if counts.done == 0:
            say(_why_nothing(collection.why(start_urls[0]) if start_urls else None))
            return 1
    return 0


def _read_urls(source: str | None) -> list[str]:
    """Return the URLs of a file, one a line; blank lines and lines beginning with # are skipped."""
    if source is None:
        return []
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"--urls-from: {source} cannot be read: {reason}.") from None
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _why_nothing(story: Any) -> str:
    """Guess aloud why a crawl brought nothing."""
    if story is None:
        return "Nothing was fetched."
    if story.reason.startswith("private address"):
        return (
            f"Nothing was fetched: {story.url} is at a private address; "
            "add --allow-private if you mean it."
        )
    return f"Nothing was fetched: {story.url} is {story.state} ({story.reason})."
