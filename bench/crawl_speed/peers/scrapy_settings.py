"""The settings of Scrapy in this benchmark: the fastest that we found."""

from pathlib import Path
from typing import Any


def settings_for(directory: str, limit: int) -> dict[str, Any]:
    """Return settings for a crawl of at most `limit` pages; 0 is no limit."""
    return {
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {"scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": 50},
        "JOBDIR": str(Path(directory, "job")),
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "LOGSTATS_INTERVAL": 0,
        "LOG_ENABLED": False,
        "DOWNLOAD_TIMEOUT": 20,
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "CLOSESPIDER_PAGECOUNT": limit,
    }
