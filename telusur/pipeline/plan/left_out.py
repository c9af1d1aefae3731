"""Checks that a resumed crawl has the secrets of the last one, which are not stored."""

import logging
from collections.abc import Collection, Sequence

from telusur.crawl.hosts.terms import speaks_of
from telusur.crawl.secrets import Missing, find_missing
from telusur.crawl.urls.identity import host_of
from telusur.errors import UsageError
from telusur.settings import CrawlSettings
from telusur.store.records import CrawlRecord
from telusur.store.store import Store

_tell = logging.getLogger("telusur").warning


def check_secrets(store: Store, start_urls: Sequence[str], settings: CrawlSettings) -> None:
    """Raise UsageError if requests to a host would lack a secret of the last crawl.

    Such a host answers every URL with its login page.
    """
    crawls = store.crawls()
    last = crawls.last_run()
    if last is None or settings.replay is not None:
        return
    hosts = {host_of(url) for url in start_urls} | crawls.hosts_to_ask()
    for missing in find_missing(last.settings, settings):
        if _is_needed(missing, last, hosts):
            raise UsageError(
                f"{store.address}: the last crawl was given {missing.what}, which is not stored; "
                f"give it again, {missing.give}, or {missing.go_without} to continue without it."
            )
    cookies = last.settings.get("cookies")
    if cookies and settings.cookies is None and _begun_at(last) & hosts:
        _tell(f"The last crawl was given --cookies {cookies}; this one continues without them.")


def _is_needed(missing: Missing, last: CrawlRecord, hosts: Collection[str]) -> bool:
    if missing.is_proxy:
        return True
    if missing.table is not None:
        return any(speaks_of(missing.table, host) for host in hosts)
    return not _begun_at(last).isdisjoint(hosts)


def _begun_at(last: CrawlRecord) -> set[str]:
    return {host_of(url) for url in last.start_urls}
