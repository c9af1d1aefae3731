"""The gate of one crawl: to the network, or to the archive of another collection."""

import time

from telusur.backends import is_store, open_store
from telusur.errors import UsageError
from telusur.fetch.gate import Gate, make_client
from telusur.fetch.replay import ReplayClient
from telusur.settings import CrawlSettings


def check_replay(address: str) -> None:
    """Refuse to replay an address that is not a collection."""
    if not is_store(address):
        raise UsageError(f"--replay: {address} is not a collection; name the DIR of a crawl.")


def open_gate(settings: CrawlSettings) -> Gate:
    """Return the gate that answers the requests of a crawl."""
    if settings.replay is not None:
        return ReplayClient(open_store(settings.replay).reader(), time.time)
    return make_client(settings)
