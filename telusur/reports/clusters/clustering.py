"""The clusters of a collection's sites."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from telusur.crawl.urls.identity import complete_url, site_of
from telusur.errors import UsageError
from telusur.reports.page_details import as_text
from telusur.store.store import Store

# What clusters is imported when it is used: a crawl has this class, too, and clusters nothing.
if TYPE_CHECKING:
    from telusur.reports.clusters.clustered_site import ClusteredSite, Draw, Watch

USUAL_PAGES = 100
#: Fewer pages say hardly anything about what repeats on a site.
LEAST_PAGES = 3
#: Where a collection keeps rendered pages.
DRAWN = "drawn"
_MOST_LISTED = 10


class Clustering(ABC):
    """Clusters of the blocks of a site: found, named by hand, and exported for training."""

    _store: Store

    @abstractmethod
    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page and its Content-Type, or None."""

    @abstractmethod
    def sites(self, limit: int = 50) -> list[tuple[str, int]]:
        """Return the sites with their number of documents, largest first."""

    def clusters(
        self,
        site: str = "",
        *,
        pages: int = USUAL_PAGES,
        draw: "Draw | None" = None,
        watch: "Watch | None" = None,
    ) -> "ClusteredSite":
        """Cluster the blocks of a site by look and place.

        Up to so many of its indexed pages are read, evenly chosen. `draw` returns the blocks of a
        page in a browser, given its HTML and URL, for example `DrawnPages.blocks_of`. Without
        `site` the collection must have only one. A site of fewer than three pages has no clusters.
        `watch` is told before each page how many were read, and may end the reading with False.
        """
        from telusur.reports.clusters.clustered_site import SitePages, cluster_site
        from telusur.reports.clusters.names import read_names

        site = self._site_named(site)
        with closing(self._store.site(site)) as rows:
            chosen, known = choose_evenly((url for url, _ in rows.indexed_urls()), pages)
        # In random order, so that those read before the limit of blocks are evenly spread too.
        random.Random(0).shuffle(chosen)  # noqa: S311 - not for secrets
        reader = SitePages(site, self._html_of, draw)
        names = read_names(self._store.blobs, site)
        view = cluster_site(chosen if known >= LEAST_PAGES else [], reader, names, watch)
        return replace(view, known=known)

    def with_names(self, view: "ClusteredSite") -> "ClusteredSite":
        """Return the same clusters with the labels that they have in the collection now."""
        from telusur.reports.clusters.names import read_names

        return view.named(read_names(self._store.blobs, view.site))

    def count_pages_of(self, site: str) -> int:
        """Return how many indexed pages a site has."""
        with closing(self._store.site(site)) as rows:
            return rows.count_documents()[1]

    def name_clusters(
        self, view: "ClusteredSite", labels: Mapping[int | str, str]
    ) -> "ClusteredSite":
        """Give clusters labels by number or key; "auto" removes them. Return the new view.

        The labels are stored in the collection by the shape of the clusters' blocks, so that they
        are found again when the site is clustered with other pages.
        """
        keys = {each.number: each.key for each in view.clusters}
        given = {}
        for name, label in labels.items():
            key = keys.get(name) if isinstance(name, int) else name
            if key not in view.shapes:
                raise UsageError(
                    f"{view.site}: there is no cluster {name}; the clusters are 1 to "
                    f"{len(view.clusters)}."
                )
            given[str(key)] = label
        from telusur.reports.clusters.names import write_names

        with self._store.guard():
            write_names(self._store.blobs, view.site, given, view.shapes)
        return self.with_names(view)

    def export_clusters(self, view: "ClusteredSite", path: str | Path) -> int:
        """Write the clustered pages as training data; return how many pages."""
        from telusur.reports.clusters.training_data import write_training

        return write_training(view, self._store.blobs, Path(path))

    def training_lines(self, view: "ClusteredSite") -> Iterator[str]:
        """Yield the same as JSON lines of labelled pages."""
        from telusur.reports.clusters.training_data import training_lines

        return training_lines(view, self._store.blobs)

    def _html_of(self, url: str) -> str | None:
        stored = self.html(url)
        return as_text(stored) if stored else None

    def _site_named(self, site: str) -> str:
        if not site:
            return _only_one(self.sites(_MOST_LISTED + 1))
        complete = complete_url(site, []) or site
        return site_of(complete) if "://" in complete else site


def _only_one(sites: Sequence[tuple[str, int]]) -> str:
    """Return the only site, or say which ones there are."""
    if not sites:
        raise UsageError("The collection has no documents; crawl a site first.")
    if len(sites) > 1:
        names = ", ".join(name for name, _ in sites[:_MOST_LISTED])
        more = ", and more" if len(sites) > _MOST_LISTED else ""
        raise UsageError(f"The collection has several sites; name one: {names}{more}.")
    return sites[0][0]


def choose_evenly(urls: Iterable[str], most: int) -> tuple[list[str], int]:
    """Return up to so many of the URLs, evenly spread, and how many there are.

    At most twice as many are kept in memory.
    """
    kept: list[str] = []
    step, count = 1, 0
    for url in urls:
        if count % step == 0:
            kept.append(url)
            if len(kept) > 2 * most:
                kept, step = kept[::2], 2 * step
        count += 1
    if len(kept) > most:
        kept = [kept[at * len(kept) // most] for at in range(most)]
    return kept, count
