"""Scrapy with what a user adds for the work of Telusur: an extractor, WARC files, and an index.

`scrapy_whole_peer.py DIRECTORY LIMIT trafilatura|resiliparse URL...`; limit 0 is none. Fetching is
as in `scrapy_peer.py plain`. Each page is parsed once, for its links and its content.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import scrapy
from following import Follower, Saved
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy_settings import settings_for
from tantivy_index import PageIndex

DIRECTORY, LIMIT, MODE, *START_URLS = sys.argv[1:]
work = import_module(f"with_{MODE}")


class PagesSpider(scrapy.Spider):
    """Archives, extracts, indexes and follows."""

    name = "pages"
    start_urls = START_URLS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._follower = Follower(START_URLS)
        self._saved = Saved(Path(DIRECTORY))
        self._archive = work.Archive(Path(DIRECTORY, "pages.warc.gz"))
        self._index = PageIndex(Path(DIRECTORY, "index"))

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        """Keep a page and yield its links."""
        self._archive.add(response.url, response.status, headers_of(response), response.body)
        title, text, references = work.read(response.body, response.url)
        self._saved.add(response.url, title, text, references)
        self._index.add(response.url, title, text)
        for url in self._follower.targets(response.url, references):
            yield scrapy.Request(url, callback=self.parse)

    def closed(self, reason: str) -> None:
        """Close the files and commit the index."""
        self._saved.close()
        self._archive.close()
        self._index.close()


def headers_of(response: Response) -> list[tuple[str, str]]:
    """Return the headers of a response as text."""
    pairs = response.headers.items()
    return [
        (name.decode("latin-1"), each.decode("latin-1")) for name, value in pairs for each in value
    ]


process = AsyncCrawlerProcess(settings_for(DIRECTORY, int(LIMIT)))
process.crawl(PagesSpider)
process.start()
