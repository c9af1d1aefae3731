"""How many pages may be in flight, so that an ordered strategy decides on recent knowledge.

How long a host rests between two requests is decided in `hosts/politeness.py`.
"""

from dataclasses import dataclass

# URLs leased to a host at once.
LEASED_URLS = 16
# The most pages between request and commit; bounds memory.
MOST_UNWRITTEN = 1000
LARGE_GROUP = 256
# With an ordered strategy, the pages in flight as a share of those fetched: it cannot know these
# yet.
SHARE_UNDER_WAY = 0.04


@dataclass(slots=True, frozen=True)
class InFlightLimits:
    """The limits on work in progress: wide, or growing with the crawl if the order matters.

    With `one_by_one` nothing depends on how fast pages arrive and are written.
    """

    is_ordered: bool = False
    # Each page is written before the next is chosen.
    one_by_one: bool = False

    def most_under_way(self, pages: int) -> int:
        """Return how many pages may be in flight after `pages` pages."""
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
        """Return how many URLs to lease to a host at once, with `hosts` active hosts."""
        if not self.is_ordered:
            return LEASED_URLS
        return min(LEASED_URLS, max(1, self.most_under_way(pages) // max(1, hosts)))
