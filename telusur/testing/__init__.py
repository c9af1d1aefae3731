"""Suites that check implementations of the contracts; docs/backends.md tells how to use them.

A test class inherits a suite and says how its store is made. The suites need pytest.
"""

import pytest

_SUITES = (
    "archive", "blobs", "catalogue", "changes", "control", "frontier", "frontier_intake",
    "frontier_scores", "index.searching", "index.writing", "near", "reading.crawls",
    "reading.documents", "reading.fetches", "reading.graph", "reading.links",
    "reading.site_documents", "reading.sites", "reading.urls", "reading.web", "shared_store",
    "sitemaps", "store", "strategy", "strategy_state", "translator", "vectors", "whole_store",
)  # fmt: skip
pytest.register_assert_rewrite(*(f"telusur.testing.{name}" for name in _SUITES))

# ruff: noqa: E402 - asserts of modules imported above this line would not explain failures
from telusur.testing.archive import ArchiveSuite
from telusur.testing.blobs import BlobsSuite
from telusur.testing.cases import Clock, StoreCase
from telusur.testing.catalogue import CatalogueSuite
from telusur.testing.changes import ChangesSuite
from telusur.testing.control import ControlSuite
from telusur.testing.frontier import CommittedFrontierSuite, FrontierSuite
from telusur.testing.index.searching import IndexSuite
from telusur.testing.near import NearDuplicatesSuite
from telusur.testing.reading.crawls import CrawlReaderSuite
from telusur.testing.reading.fetches import ReaderSuite
from telusur.testing.reading.graph import WebGraphSuite
from telusur.testing.reading.sites import SiteReaderSuite
from telusur.testing.reading.web import WholeWebSuite
from telusur.testing.running import failures_of
from telusur.testing.shared_store import SharedStoreSuite
from telusur.testing.sitemaps import SitemapsSuite
from telusur.testing.store import ExclusiveStoreSuite, StoreSuite
from telusur.testing.strategy import check_memory, check_strategy
from telusur.testing.strategy_state import StrategyStateSuite
from telusur.testing.translator import (
    BusyTranslatorSuite,
    TranslatorExample,
    TranslatorSuite,
)
from telusur.testing.vectors import VectorsSuite
from telusur.testing.whole_store import WholeStoreSuite

__all__ = [
    "ArchiveSuite",
    "BlobsSuite",
    "BusyTranslatorSuite",
    "CatalogueSuite",
    "ChangesSuite",
    "Clock",
    "CommittedFrontierSuite",
    "ControlSuite",
    "CrawlReaderSuite",
    "ExclusiveStoreSuite",
    "FrontierSuite",
    "IndexSuite",
    "NearDuplicatesSuite",
    "ReaderSuite",
    "SharedStoreSuite",
    "SiteReaderSuite",
    "SitemapsSuite",
    "StoreCase",
    "StoreSuite",
    "StrategyStateSuite",
    "TranslatorExample",
    "TranslatorSuite",
    "VectorsSuite",
    "WebGraphSuite",
    "WholeStoreSuite",
    "WholeWebSuite",
    "check_memory",
    "check_strategy",
    "failures_of",
]
