"""The tables of settings. Flags, environment variables, files, help and docs are made from them."""

from telusur.settings.crawl import CrawlSettings, HostSettings
from telusur.settings.serve import ServeSettings

__all__ = ["CrawlSettings", "HostSettings", "ServeSettings"]
