"""Finds the clusters of the requested site: those found before, or a run that has just begun."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from telusur.fetch.browser.drawn_pages import DrawnPages
from telusur.reports.clusters.cluster_runs import ClusterRun, ClusterRuns
from telusur.reports.clusters.clustered_site import ClusteredSite, Watch
from telusur.reports.clusters.clustering import DRAWN, LEAST_PAGES, USUAL_PAGES
from telusur.web.frame.text import clean_line
from telusur.web.page.reader import StoredPageReader, page_reader_of

#: Of the pages that were not rendered only the HTML is read, so that rendered ones are found.
MOST_LOOKED_AT = 1_000
#: How long a page waits for clusters before it shows the progress instead.
PAGE_SECONDS = 1.5
#: How long others wait that cannot show it.
ANSWER_SECONDS = 20.0
SITES_LISTED = 100
_RUNS: WeakKeyDictionary[StoredPageReader, ClusterRuns] = WeakKeyDictionary()


@dataclass(slots=True, frozen=True)
class FoundClusters:
    """What is known about the clusters of a site."""

    # none: no documents yet; choose: no site named; few: too few pages; undrawn: none rendered;
    # waiting; failed; alike: no two blocks look alike; ready.
    state: str
    site: str = ""
    is_drawn: bool = False
    # Whether there are rendered pages, of whatever site.
    has_drawn: bool = False
    # The indexed pages of the site.
    known: int = 0
    run: ClusterRun | None = None
    view: ClusteredSite | None = None
    # The sites to choose from, with their number of documents.
    sites: tuple[tuple[str, int], ...] = ()

    @property
    def look(self) -> str:
        """Return the value of the parameter `look`; empty for the default."""
        return "rendered" if self.is_drawn else ""


async def find_clusters(request: Request, site: str, look: str, seconds: float) -> FoundClusters:
    """Return the clusters of a site if they are found in time; raise 404 for an unknown site."""
    collection = page_reader_of(request)
    sites = await run_in_threadpool(collection.sites, SITES_LISTED)
    if not sites:
        return FoundClusters("none", site)
    if not site and len(sites) > 1:
        return FoundClusters("choose", sites=tuple(sites))
    site = site or sites[0][0]
    known = await run_in_threadpool(collection.count_pages_of, site)
    if not known and site not in dict(sites):
        raise HTTPException(404, f"This collection has no site {clean_line(site, 80)}")
    is_drawn, has_drawn = look == "rendered", _drawn_in(collection).is_dir()
    shell = partial(FoundClusters, site=site, is_drawn=is_drawn, has_drawn=has_drawn, known=known)
    if known < LEAST_PAGES:
        return shell("few")
    if is_drawn and not has_drawn:
        return shell("undrawn")
    run = _RUNS.setdefault(collection, ClusterRuns()).get(
        (site, is_drawn), known, partial(_start, request, collection, site, is_drawn, known)
    )
    if run is None:
        sentence = "Too many sites are being clustered; try again in a minute."
        raise HTTPException(503, sentence, {"Retry-After": "60"})
    await run_in_threadpool(run.wait, seconds)
    if not run.is_over:
        return shell("waiting", run=run)
    if run.view is None:
        return shell("failed", run=run)
    view = await run_in_threadpool(collection.with_names, run.view)
    state = "ready" if view.clusters else "alike" if view.urls or not is_drawn else "undrawn"
    return shell(state, run=run, view=view)


async def clusters_ready(request: Request, site: str, look: str) -> ClusteredSite:
    """Return the clusters of a site, or raise an error that says why there are none."""
    found = await find_clusters(request, site, look, ANSWER_SECONDS)
    if found.state == "waiting":
        sentence = "The site is being clustered; try again in a few seconds."
        raise HTTPException(503, sentence, {"Retry-After": "5"})
    if found.view is None or not found.view.clusters:
        raise HTTPException(404, f"{clean_line(site, 80) or 'This collection'} has no clusters.")
    return found.view


def _drawn_in(collection: StoredPageReader) -> Path:
    return Path(collection.address) / DRAWN


def _start(
    request: Request, collection: StoredPageReader, site: str, is_drawn: bool, known: int
) -> ClusterRun:
    state = request.app.state

    def work(watch: Watch) -> ClusteredSite:
        if not is_drawn:
            return collection.clusters(site, pages=USUAL_PAGES, watch=watch)
        draw = DrawnPages(_drawn_in(collection), renders=False).blocks_of
        return collection.clusters(site, pages=MOST_LOOKED_AT, draw=draw, watch=watch)

    return ClusterRun(work, known, is_unwanted=lambda: state.is_closing)
