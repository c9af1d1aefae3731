"""Telusur: crawl the part of the web you choose, keep it, search it."""

__version__ = "0.1.0"
