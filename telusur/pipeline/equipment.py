"""The equipment of a crawl: everything its scouter gets from outside."""

from collections.abc import Callable
from dataclasses import dataclass

from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.hosts.shares import Budgets
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.fetch.gate import Gate
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.parsing.reading import PageReader
from telusur.pipeline.recorder import Recorder
from telusur.store.reader import CatalogueReader


@dataclass(slots=True, frozen=True)
class Equipment:
    """The scouter's network, parsers, recorder and clock."""

    client: Gate
    reader: PageReader
    recorder: Recorder
    discovery: Discovery
    clock: Clock
    progress: Progress
    # The terms of a host.
    terms_for: Callable[[str], HostTerms]
    budgets: Budgets
    sitemaps: SitemapRules
    # What the collection has so far.
    stored: CatalogueReader
