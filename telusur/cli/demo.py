"""`telusur demo`: serve a small demo web, crawl it, and open a search page on it."""

import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import click

from telusur.cli.crawl_report import watch
from telusur.cli.output import say
from telusur.cli.program import program
from telusur.collection import Collection, open_collection
from telusur.demo.server import DemoServer
from telusur.demo.server import serve as serve_web
from telusur.errors import UsageError
from telusur.pipeline.control.ctrl_c import Interrupts
from telusur.settings import CrawlSettings
from telusur.shelf import Shelf
from telusur.web.app import make_app
from telusur.web.guard.access import Access
from telusur.web.server import bind, make_server, url_with_key

T = TypeVar("T", DemoServer, socket.socket)
HOST = "127.0.0.1"

QUERIES = ("lighthouse keeper", "coffee", "kopi tubruk", "İstanbul", "Seegras", "backup lang:en")


@click.command("demo")
@click.option(
    "--to",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep the collection here. By default it is removed at the end.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port of the search page. The default is 8080, or a free one.",
)
@click.option(
    "--web-port",
    type=click.IntRange(0, 65535),
    help="Port of the demo web. The default is 8800, or a free one.",
)
@click.option("--by-port", is_flag=True, help="Give each site its own port instead of a host name.")
@click.option("--serve-only", is_flag=True, help="Only serve the demo web; crawl it yourself.")
@click.option("--no-open", is_flag=True, help="Do not open a browser window.")
def command(
    *,
    directory: Path | None,
    port: int | None,
    web_port: int | None,
    by_port: bool,
    serve_only: bool,
    no_open: bool,
) -> int:
    """Crawl and search a small demo web that Telusur serves itself, on this machine only."""
    with ExitStack() as stack:
        web = stack.enter_context(_with_port(partial(serve_web, by_port=by_port), web_port, 8800))
        if serve_only:
            return _serve_only(web)
        listener = stack.enter_context(_with_port(partial(bind, HOST), port, 8080))
        if directory is None:
            directory = Path(stack.enter_context(TemporaryDirectory(prefix="telusur-demo-")))
        with open_collection(directory) as collection:
            _crawl(web, collection, directory)
        shelf = stack.enter_context(Shelf(directory, CrawlSettings(allow_private=True)))
        _show(shelf, listener, opens_browser=not no_open)
    return 0


def _with_port(listen: Callable[[int], T], asked: int | None, usual: int) -> T:
    """Listen on the given port; without one, on the usual port, or any free one if it is taken."""
    if asked is not None:
        return listen(asked)
    try:
        return listen(usual)
    except UsageError:
        return listen(0)


def _serve_only(web: DemoServer) -> int:
    say("The demo web is running (Ctrl-C stops it):")
    for url in web.start_urls:
        click.echo(url)
    say(f"For example: {program()} crawl --allow-private --delay 0 --to DIR {web.start_urls[0]}")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    stopped.wait()
    return 0


def _crawl(web: DemoServer, collection: Collection, directory: Path) -> None:
    say(f"Crawling {len(web.start_urls)} sites of the demo web, starting at {web.start_urls[0]}")
    settings = CrawlSettings(allow_private=True, delay=0.01)
    with Interrupts() as interrupts, watch(str(directory), as_json=False) as watcher:
        interrupts.tell = watcher.interrupted
        summary = collection.run_crawl(
            web.start_urls,
            settings,
            report=watcher.report,
            report_every=watcher.every_seconds,
            interrupts=interrupts,
        )
    watcher.summarise(summary, collection.counts())


def _show(shelf: Shelf, listener: socket.socket, *, opens_browser: bool) -> None:
    access = Access()
    with TemporaryDirectory(prefix="telusur-open-") as private:

        def ready(url: str) -> None:
            with_key = url_with_key(url, access.key)
            say(f"Or in your browser: {url}  (Ctrl-C stops)")
            say(f"To start crawls and change things there, open {with_key}")
            say("Try: " + ", ".join(QUERIES))
            if opens_browser:
                webbrowser.open(_write_door(Path(private), with_key))

        app = make_app(shelf.open(shelf.names()[0]), crawls=shelf, access=access)
        make_server(app, listener, HOST, ready).run(sockets=[listener])


def _write_door(directory: Path, url: str) -> str:
    """Write a private file that redirects to an address; return the address of the file.

    A browser gets the address to open on its command line, which everybody on the machine can read.
    """
    door = directory / "open.html"
    door.write_text(f'<meta http-equiv="refresh" content="0;url={escape(url)}">', encoding="utf-8")
    return door.as_uri()
