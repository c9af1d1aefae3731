"""`telusur crawl`: crawl from start URLs into a collection.

Ctrl-C is handled in `pipeline/control/ctrl_c.py`.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.cli.config import Config
from telusur.cli.crawl_report import watch
from telusur.cli.options import as_json, flags_of, given
from telusur.cli.output import fate, printable, say
from telusur.collection import open_collection
from telusur.crawl.urls.identity import parse_url
from telusur.errors import UsageError
from telusur.machine.memory import seek_garbage_seldom
from telusur.pipeline.control.ctrl_c import Interrupts
from telusur.pipeline.plan.plan import make_plan
from telusur.settings import CrawlSettings

MOST_GUESSES = 5


@click.command("crawl")
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option("--to", "address", metavar="DIR", help="The collection to crawl into.")
@flags_of(CrawlSettings)
@as_json
def command(urls: tuple[str, ...], address: str | None, as_json: bool, **flags: Any) -> int:
    """Crawl from start URLs into a collection.

    Run the same command again to resume where the crawl stopped. Press Ctrl-C once to save and
    stop. Exit code 0: done; 1: nothing was fetched; 2: cannot run.
    """
    config = Config(Path.cwd(), os.environ)
    settings = config.settings(CrawlSettings, "crawl", given(flags))
    target = address or config.directory()
    if target is None:
        raise UsageError("No collection given; name its directory with --to DIR.")
    start_urls = [*urls, *_read_urls(settings.urls_from)] or config.start_urls()
    make_plan(start_urls, settings)  # fail before a directory is made
    if not start_urls and not Path(target).exists():
        raise UsageError("There is nothing to crawl; name at least one start URL.")
    seek_garbage_seldom()
    with Interrupts() as interrupts, open_collection(target) as collection:
        typed, start_urls = start_urls, collection.start_urls(start_urls) if start_urls else []
        _tell_guesses(typed, start_urls)
        with watch(target, as_json=as_json) as watcher:
            interrupts.tell = watcher.interrupted
            summary = collection.run_crawl(
                start_urls,
                settings,
                report=watcher.report,
                report_every=watcher.every_seconds,
                interrupts=interrupts,
            )
        counts = collection.counts()
        watcher.summarise(summary, counts)
        if counts.done == 0:
            say(_why_nothing(collection.why(start_urls[0]) if start_urls else None))
            _tell_of_http(typed, start_urls)
            return 1
    return 0


def _tell_guesses(typed: Sequence[str], start_urls: Sequence[str]) -> None:
    """Say which scheme was assumed for start URLs without one."""
    guessed = _guessed(typed, start_urls)
    for name, url in guessed[:MOST_GUESSES]:
        say(f"{name}: assuming {url}")
    if len(guessed) > MOST_GUESSES:
        say(f"... and so on for {len(guessed)} start URLs without http:// or https://.")


def _tell_of_http(typed: Sequence[str], start_urls: Sequence[str]) -> None:
    """Say what to try when https was assumed and the server did not answer."""
    https = [name for name, url in _guessed(typed, start_urls) if url.startswith("https://")]
    if https:
        say(f"If the server speaks only http, write http://{https[0].strip()}")


def _guessed(typed: Sequence[str], start_urls: Sequence[str]) -> list[tuple[str, str]]:
    pairs = zip(typed, start_urls, strict=True)
    return [(name, url) for name, url in pairs if parse_url(name) is None]


def _read_urls(source: str | None) -> list[str]:
    """Return the URLs of a file, one per line; skip blank lines and lines starting with #."""
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
    """Return the likely reason why a crawl fetched nothing."""
    if story is None:
        return "Nothing was fetched."
    if story.reason.startswith("private address"):
        return (
            f"Nothing was fetched: {story.url} is at a private address; add "
            "--allow-private to fetch it."
        )
    return f"Nothing was fetched: {printable(story.url)} {fate(story.state, story.reason)}."
