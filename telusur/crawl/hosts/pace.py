"""How much may be under way at once, so that an ordered strategy decides with open eyes."""

from dataclasses import dataclass

LEASED_URLS = 16
"""URLs a host is handed at once."""
MOST_UNWRITTEN = 1000
"""Pages under way, from request to commit; bounds memory."""
LARGE_GROUP = 256
SHARE_UNDER_WAY = 0.04
"""Of the pages fetched so far: what an ordered strategy lets be under way, and so not know."""


@dataclass(slots=True, frozen=True)
class Pace:
    """The limits of a crawl: wide, or growing with what was fetched when the order matters.

    One by one, nothing depends on how fast pages come and are written.
    """

    is_ordered: bool = False
    one_by_one: bool = False
    """Each page is written before the next is chosen."""

    def most_under_way(self, pages: int) -> int:
        """Return how many pages may be under way after so many."""
        if self.one_by_one:
            return 1
        if not self.is_ordered:
            return MOST_UNWRITTEN
        return min(MOST_UNWRITTEN, max(1, int(SHARE_UNDER_WAY * pages)))

    def large_group(self, pages: int) -> int:
        """Return how many outcomes are written at once, without waiting for more."""
        if not self.is_ordered:
            return LARGE_GROUP
        return min(LARGE_GROUP, max(1, self.most_under_way(pages) // 2))

    def urls_of_host(self, pages: int, hosts: int) -> int:
        """Return how many URLs a host is handed at once, with so many hosts at work."""
        if not self.is_ordered:
            return LEASED_URLS
        return min(LEASED_URLS, max(1, self.most_under_way(pages) // max(1, hosts)))
