"""`telusur demo`: a small web served by Telusur itself, crawled and searched before your eyes."""

import signal
import webbrowser
from pathlib import Path

import click

from telusur.cli.crawl_report import watch
from telusur.cli.output import say
from telusur.collection import Collection, open_collection
from telusur.demo.server import DemoServer
from telusur.demo.server import serve as serve_web
from telusur.settings import CrawlSettings

QUERIES = (
    "coffee",
    "lighthouse keeper",
    "kopi gunung",
    "İstanbul",
    "Donaudampfschiff",
    "site:docs",
)


@click.command("demo")
@click.option("--to", "directory", default="demo-collection", metavar="DIR", show_default=True,
              type=click.Path(path_type=Path), help="The collection to make.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True,
              help="Port of the search page; 0 takes a free one.")  # fmt: skip
@click.option("--web-port", type=click.IntRange(0, 65535), default=8800, show_default=True,
              help="Port of the web to crawl; 0 takes a free one.")  # fmt: skip
@click.option("--by-port", is_flag=True, help="One port for each site instead of host names.")
@click.option("--serve-only", is_flag=True, help="Only serve the small web; crawl it yourself.")
@click.option("--no-open", is_flag=True, help="Do not open a browser window.")
def command(
    *, directory: Path, port: int, web_port: int, by_port: bool, serve_only: bool, no_open: bool
) -> int:
    """Crawl and search a small web that Telusur serves itself, on this machine only."""
    with serve_web(web_port, by_port) as web:
        if serve_only:
            return _serve_only(web)
        with open_collection(directory) as collection:
            _crawl(web, collection, directory)
            _show(collection, port, opens_browser=not no_open)
    return 0


def _serve_only(web: DemoServer) -> int:
    say("A small web to crawl (Ctrl-C stops it):")
    for url in web.start_urls:
        click.echo(url)
    say("For example: telusur crawl --allow-private --delay 0 --to DIR " + web.start_urls[0])
    signal.sigwait({signal.SIGINT, signal.SIGTERM})
    return 0


def _crawl(web: DemoServer, collection: Collection, directory: Path) -> None:
    say(f"Crawling {len(web.start_urls)} sites, starting at {web.start_urls[0]} ...")
    settings = CrawlSettings(allow_private=True, delay=0.02)
    with watch(directory, as_json=False) as watcher:
        summary = collection.run_crawl(
            web.start_urls,
            settings,
            report=watcher.report,
            report_every=watcher.every_seconds,
            on_interrupt=watcher.interrupted,
        )
    watcher.summarise(summary, collection.counts())


def _show(collection: Collection, port: int, *, opens_browser: bool) -> None:
    from telusur.web.app import make_app
    from telusur.web.server import serve

    def ready(url: str) -> None:
        say(f"Search it in your browser: {url}  (Ctrl-C stops)")
        say("Try: " + ", ".join(QUERIES))
        if opens_browser:
            webbrowser.open(url)

    serve(make_app(collection), "127.0.0.1", port, ready)
