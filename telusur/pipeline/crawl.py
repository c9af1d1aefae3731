"""One crawl from start to end: wires frontier, network, parsers, recorder and indexer together."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from functools import partial

from telusur.crawl.hosts.holds import HOLDS, Hold, in_force, unpack_holds
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.extract.rendered import RenderLimits
from telusur.fetch.browser.pool import RenderingPool
from telusur.fetch.browser.renderer import find_browser, why_no_browser
from telusur.machine.memory import return_large_blocks
from telusur.machine.open_files import allow_files
from telusur.models import Counts
from telusur.pipeline.beginning import begin_crawl
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.control.server import obey_request
from telusur.pipeline.control.steering import Steering
from telusur.pipeline.crawl_gate import open_gate
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.indexing.indexer_process import IndexerProcess
from telusur.pipeline.indexing.indexer_thread import IndexerThread
from telusur.pipeline.parsing.page_parser import PageParser
from telusur.pipeline.parsing.pool import ParserPool
from telusur.pipeline.parsing.reading import PageReader
from telusur.pipeline.parsing.site_shelf import SiteShelf
from telusur.pipeline.parsing.strategy_looks import Eyes
from telusur.pipeline.plan.plan import Plan, files_of, make_discovery, workers_of
from telusur.pipeline.recorder import Recorder
from telusur.pipeline.scouter import Scouter
from telusur.pipeline.style_sheets import uses_style_sheets
from telusur.store.archive import Packer
from telusur.store.store import Store

Indexer = IndexerProcess | IndexerThread


@dataclass(slots=True, frozen=True)
class Summary:
    """How a crawl ended.

    `outcome` is done, pages, seconds, bytes, interrupted, or unreachable: the URLs left belong to
    hosts that do not answer.
    """

    outcome: str
    seconds: float
    progress: Progress
    start_urls_left_out: tuple[tuple[str, str], ...] = ()


class CrawlRun:
    """One run over a collection that the caller has locked."""

    def __init__(self, store: Store, plan: Plan, counts: Counts) -> None:
        self._store = store
        self._plan = plan
        self.progress = Progress.continuing(counts, time.time())
        self._steering = Steering(store, plan.settings, plan.terms, self.progress)

    def stop(self, why: str = "interrupted") -> None:
        """Stop gracefully; call it in the event loop's thread."""
        self._steering.stop_because(why)

    async def run(
        self, report: Callable[[Progress], None] | None = None, every_seconds: float = 1.0
    ) -> Summary:
        """Crawl to the end; `report` receives the counters every `every_seconds`."""
        settings = self._plan.settings
        started = time.monotonic()
        return_large_blocks()
        allow_files(files_of(settings))
        discovery = make_discovery(self._plan)
        async with AsyncExitStack() as stack:
            obey = partial(obey_request, self._steering)
            await stack.enter_async_context(self._store.control.answering(obey))
            session = self._store.session()
            stack.callback(session.close)
            learns = settings.learn_site and settings.content == "article"
            recorder = Recorder(
                session, discovery, self._plan.strategy, heeds_traps=settings.traps,
                learns_sites=learns,
            )  # fmt: skip
            recorder.frontier.limit_waiting(settings.most_waiting)
            recorder.recover(time.time())
            sitemaps = SitemapRules(settings, discovery, self._plan.start_urls)
            crawl_id = begin_crawl(recorder, self._plan, discovery, sitemaps, self.progress)
            recorder.crawl_id = crawl_id
            indexer = _make_indexer(self._store, settings.vectors) if settings.index else None
            watching = asyncio.create_task(indexer.watch()) if indexer else None
            if indexer is not None:
                stack.push_async_callback(indexer.stop)
            client = open_gate(settings)
            stack.callback(client.close)
            parser = self._make_parser(discovery, session.archive.packer, learns_sites=learns)
            sites = recorder.sites if learns else None
            pool = await stack.enter_async_context(
                ParserPool(parser, workers_of(settings), sites=sites)
            )
            renderers = await stack.enter_async_context(self._renderers())
            render = renderers.render if renderers is not None else None
            reader = PageReader(pool.parse, render, settings.render)
            stored = stack.enter_context(closing(self._store.reader()))
            equipment = Equipment(
                client, reader, recorder, discovery, time.time, self.progress,
                self._plan.terms.terms_for, self._plan.budgets, sitemaps, stored,
            )  # fmt: skip
            self._steering.pids = lambda: _pids(pool, indexer, renderers)
            scouter = Scouter(settings, equipment)
            self._steering.look_after_disk()
            self._steering.take(scouter)
            for work in (
                self._steering.keep_house(),
                _report(self.progress, report, every_seconds),
            ):
                stack.callback(asyncio.create_task(work).cancel)
            outcome = await self._scout(scouter, watching)
            self.progress.held, self.progress.holds = "", _holds_now(recorder, time.time())
            self._steering.ended(outcome)
            if indexer is not None and watching is not None:
                await _end(watching)
                await indexer.finish()
            with recorder.transaction():
                recorder.catalogue.end_crawl(crawl_id, outcome)
        return Summary(outcome, time.monotonic() - started, self.progress)

    def _make_parser(
        self, discovery: Discovery, packer: Packer | None, *, learns_sites: bool
    ) -> PageParser:
        settings = self._plan.settings
        wants_signature = settings.near_duplicates and settings.content == "article"
        return PageParser(
            discovery, settings.content, settings.max_bytes, wants_signature, self._plan.model,
            self._plan.hooks, Eyes(self._plan.strategy), uses_style_sheets(settings),
            sites=SiteShelf() if learns_sites else None, packer=packer,
        )  # fmt: skip

    @asynccontextmanager
    async def _renderers(self) -> AsyncIterator[RenderingPool | None]:
        """Open the browsers, if pages may be rendered and one is installed."""
        settings = self._plan.settings
        if settings.render == "never":
            yield None
            return
        self.progress.no_browser = why_no_browser(settings.browser)
        path = find_browser(settings.browser)
        if self.progress.no_browser or path is None:
            yield None
            return
        limits = RenderLimits(settings.render_seconds)
        async with RenderingPool(path, settings.browsers, limits) as pool:
            yield pool

    async def _scout(self, scouter: Scouter, watching: asyncio.Task[None] | None) -> str:
        """Crawl; if the index cannot be written, stop and raise the reason."""
        scouting = asyncio.create_task(scouter.run())
        tasks: set[asyncio.Task[None] | asyncio.Task[str]] = {scouting}
        if watching is not None:
            tasks.add(watching)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if watching is not None and watching.done():
                scouter.stop("index")
                await scouting
                watching.result()
            return await scouting
        finally:
            await _end(scouting)


def _holds_now(recorder: Recorder, now: float) -> list[Hold]:
    """Return the hosts on hold that have waiting URLs."""
    holds = in_force(unpack_holds(recorder.catalogue.fact(HOLDS)), now)
    waiting = recorder.frontier.with_waiting(hold.host for hold in holds)
    return [hold for hold in holds if hold.host in waiting]


def _make_indexer(store: Store, vectors: str) -> Indexer:
    """Return an indexer in a process of its own, if another process can open the store."""
    if store.is_for_one_process:
        return IndexerThread(store, vectors)
    return IndexerProcess(store, vectors)


def _pids(pool: ParserPool, indexer: Indexer | None, renderers: RenderingPool | None) -> list[int]:
    pids = list(pool.pids.values())
    pids += renderers.pids() if renderers is not None else []
    return pids if indexer is None or indexer.pid is None else [*pids, indexer.pid]


async def _report(
    progress: Progress, report: Callable[[Progress], None] | None, every_seconds: float
) -> None:
    while report is not None:
        report(progress)
        await asyncio.sleep(every_seconds)


async def _end(task: "asyncio.Task[None] | asyncio.Task[str]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
