"""The suite of strategies, under the name that it had before it moved to `telusur.testing`."""

from telusur.testing.strategy import (
    PAGES,
    address,
    check_memory,
    check_strategy,
)
from telusur.testing.strategy import SmallCrawl as Run
from telusur.testing.strategy import check_kill as _check_kill

__all__ = ["PAGES", "Run", "_check_kill", "address", "check_memory", "check_strategy"]
