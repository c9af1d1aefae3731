"""Scrapy: `scrapy_peer.py DIRECTORY LIMIT plain|tuned URL...`; limit 0 is none.

The best settings we found: uvloop, no middlewares but one, selectolax, pages written by the
callback itself. `tuned` goes further than settings: links known to the spider never become
Requests, which saves Scrapy most of its duplicate filter, and its experimental aiohttp handler
fetches.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy
from following import Follower, Saved
from reading import read
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy_settings import settings_for

DIRECTORY, LIMIT, MODE, *START_URLS = sys.argv[1:]
TUNED: dict[str, Any] = {
    "TWISTED_REACTOR_ENABLED": False,
    "DOWNLOAD_HANDLERS": {
        "http": "scrapy.core.downloader.handlers._aiohttp.AiohttpDownloadHandler"
    },
}


class PagesSpider(scrapy.Spider):
    """Follows every link of the sites and writes the pages down."""

    name = "pages"
    start_urls = START_URLS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._follower = Follower(START_URLS)
        self._saved = Saved(Path(DIRECTORY))
        self._choose = self._follower.fresh if MODE == "tuned" else self._follower.targets

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        """Save a page and yield its links."""
        title, text, references = read(response.body)
        self._saved.add(response.url, title, text, references)
        for url in self._choose(response.url, references):
            yield scrapy.Request(url, callback=self.parse)

    def closed(self, reason: str) -> None:
        """Close the file at the end."""
        self._saved.close()


process = AsyncCrawlerProcess(
    settings_for(DIRECTORY, int(LIMIT)) | (TUNED if MODE == "tuned" else {})
)
process.crawl(PagesSpider)
process.start()
