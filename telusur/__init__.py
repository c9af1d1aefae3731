"""Telusur: crawl the part of the web you choose, keep it, search it.

>>> import telusur
>>> telusur.normalize_url("HTTP://Example.org:80/a/../b?y=2&x=1#top")
'http://example.org/b?x=1&y=2'
"""

import importlib
from typing import TYPE_CHECKING, Any

from telusur.version import __version__

if TYPE_CHECKING:
    from telusur.collection import Collection
    from telusur.collection import open_collection as open
    from telusur.crawl.rules.robots import Robots
    from telusur.crawl.urls.filenames import file_name_of, url_of
    from telusur.crawl.urls.identity import normalize_url
    from telusur.errors import (
        CollectionBusy,
        CollectionError,
        StorageError,
        TelusurError,
        UsageError,
    )
    from telusur.extract.document import extract_document as extract
    from telusur.extract.feed.parsing import parse_feed
    from telusur.extract.sitemap import parse_sitemap
    from telusur.models import Block, Document, Hit, Link, Post, SearchResults

# Where each public name lives; it is loaded when it is first used, so that importing Telusur and
# `telusur --help` are quick.
_HOMES = {
    "Block": ("telusur.models", "Block"),
    "Collection": ("telusur.collection", "Collection"),
    "CollectionBusy": ("telusur.errors", "CollectionBusy"),
    "CollectionError": ("telusur.errors", "CollectionError"),
    "Document": ("telusur.models", "Document"),
    "Hit": ("telusur.models", "Hit"),
    "Link": ("telusur.models", "Link"),
    "Post": ("telusur.models", "Post"),
    "Robots": ("telusur.crawl.rules.robots", "Robots"),
    "SearchResults": ("telusur.models", "SearchResults"),
    "StorageError": ("telusur.errors", "StorageError"),
    "TelusurError": ("telusur.errors", "TelusurError"),
    "UsageError": ("telusur.errors", "UsageError"),
    "file_name_of": ("telusur.crawl.urls.filenames", "file_name_of"),
    "normalize_url": ("telusur.crawl.urls.identity", "normalize_url"),
    "open": ("telusur.collection", "open_collection"),
    "parse_feed": ("telusur.extract.feed.parsing", "parse_feed"),
    "parse_sitemap": ("telusur.extract.sitemap", "parse_sitemap"),
    "url_of": ("telusur.crawl.urls.filenames", "url_of"),
}

__all__ = [
    "Block",
    "Collection",
    "CollectionBusy",
    "CollectionError",
    "Document",
    "Hit",
    "Link",
    "Post",
    "Robots",
    "SearchResults",
    "StorageError",
    "TelusurError",
    "UsageError",
    "__version__",
    "extract",
    "file_name_of",
    "normalize_url",
    "open",
    "parse_feed",
    "parse_sitemap",
    "url_of",
]


def __getattr__(name: str) -> Any:
    if name == "extract":
        return importlib.import_module("telusur.extract")  # the folder is the function too
    if name not in _HOMES:
        raise AttributeError(f"module 'telusur' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = globals()[name] = getattr(importlib.import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return __all__
