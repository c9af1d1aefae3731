"""`telusur status`: what a crawl is doing, in any process, and what a collection contains."""

import sys
import time
from collections.abc import Iterator

import click
from rich.console import Console
from rich.live import Live

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console
from telusur.cli.status_report import dashboard
from telusur.collection import Collection, open_collection
from telusur.pipeline.control.status import Status

EVERY_SECONDS = 1.0
MOST_SITES = 1000


@click.command("status")
@to_read
@click.option("--watch", is_flag=True, help="Refresh every second until the crawl ends.")
@click.option(
    "--sites", type=click.IntRange(0, MOST_SITES), default=10, metavar="N",
    help="How many sites to show, the largest first.  [default: 10]",
)  # fmt: skip
@as_json
def command(address: str, watch: bool, sites: int, as_json: bool) -> int:
    """Show what a crawl is doing and what a collection contains.

    The crawl may run in another process. If no crawl is running, the counts of the collection are
    shown.
    """
    with open_collection(address, create=False) as collection:
        readings = _readings(collection, sites) if watch else iter([collection.status(sites)])
        out = console()
        if as_json:
            for status in readings:
                answer_json({"type": "status", "collection": address, **status.as_record()})
                sys.stdout.flush()
        elif watch and out.is_terminal:
            _refresh(readings, address, out)
        else:
            for status in readings:
                out.print(dashboard(status, address, out.width))
    return 0


def _readings(collection: Collection, sites: int) -> Iterator[Status]:
    """Yield the status every second, for the last time when the crawl has ended."""
    while True:
        status = collection.status(sites)
        yield status
        if not status.is_crawling:
            return
        time.sleep(EVERY_SECONDS)


def _refresh(readings: Iterator[Status], name: str, out: Console) -> None:
    with Live(console=out, auto_refresh=False) as live:
        for status in readings:
            live.update(dashboard(status, name, out.width), refresh=True)
