"""Crawlee for Python: `crawlee_peer.py DIRECTORY LIMIT memory|disk URL...`; limit 0 is none.

Its plain HttpCrawler with a selectolax handler, and links filtered before they become Requests:
less work than its ready-made parsers and `enqueue_links`. With `memory` its queue is lost with the
process; `disk` is its default and can be resumed.
"""

import asyncio
import logging
import sys
from datetime import timedelta
from pathlib import Path

from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import FileSystemStorageClient, MemoryStorageClient
from following import Follower, Saved
from reading import read


async def main() -> None:
    """Crawl everything that can be reached from the start URLs."""
    directory, limit, storage, *start_urls = sys.argv[1:]
    follower, saved = Follower(start_urls), Saved(Path(directory))
    crawler = HttpCrawler(
        configuration=Configuration(
            purge_on_start=True, available_memory_ratio=0.9, storage_dir=f"{directory}/storage"
        ),
        storage_client=MemoryStorageClient() if storage == "memory" else FileSystemStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=16, desired_concurrency=32, max_concurrency=64
        ),
        max_requests_per_crawl=int(limit) or None,
        max_request_retries=0,
        use_session_pool=False,
        retry_on_blocked=False,
        request_handler_timeout=timedelta(seconds=20),
        configure_logging=False,
        statistics_log_format="inline",
    )

    @crawler.router.default_handler
    async def handle(context: HttpCrawlingContext) -> None:
        title, text, references = read(await context.http_response.read())
        url = context.request.url
        saved.add(url, title, text, references)
        fresh = follower.fresh(url, references)
        if fresh:
            await context.add_requests(fresh)

    await crawler.run(start_urls)
    saved.close()


logging.disable(logging.CRITICAL)
asyncio.run(main())
