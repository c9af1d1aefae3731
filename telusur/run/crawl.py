"""One crawl from start to end: wires frontier, network, parsers, recorder and indexer together."""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import telusur
from telusur.adapters.addresses import parse_endpoint
from telusur.adapters.browser import find_browser, why_no_browser
from telusur.adapters.curl_handle import Trust, check_proxy, without_password
from telusur.adapters.memory import return_large_blocks
from telusur.adapters.sqlite_fetched import answered_urls
from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.adapters.sqlite_tables import BY_TOPIC
from telusur.crawl.discovery import Discovery
from telusur.crawl.frontier import NewUrl
from telusur.crawl.host_terms import TermsBook
from telusur.crawl.scope import Scope
from telusur.crawl.shares import Budgets, parse_weights
from telusur.crawl.sitemap_rules import SitemapRules
from telusur.crawl.strategies import Strategy, default_strategy
from telusur.crawl.urls import guess_url, parse_url
from telusur.errors import UsageError
from telusur.extract.model import Model, load_model
from telusur.extract.rendered import RenderLimits
from telusur.models import Counts, Reason
from telusur.run.control import answering
from telusur.run.eyes import Eyes
from telusur.run.gate import check_replay, open_gate
from telusur.run.hooks import load_hooks
from telusur.run.hooks_file import HooksFile, read_hooks
from telusur.run.indexer import correct_position
from telusur.run.indexer_process import IndexerProcess
from telusur.run.parser_pool import ParserPool
from telusur.run.parsing import PageParser
from telusur.run.progress import Progress
from telusur.run.reading import PageReader
from telusur.run.recorder import Recorder
from telusur.run.rendering import RenderingPool
from telusur.run.scouter import Equipment, Scouter
from telusur.run.steering import Steering
from telusur.run.strategy_source import StrategySource
from telusur.run.topic_source import plan_strategy
from telusur.run.vectors import check_wish
from telusur.settings import CrawlSettings


@dataclass(slots=True, frozen=True)
class Plan:
    """A crawl whose settings were found to make sense, before anything is touched."""

    start_urls: tuple[str, ...]
    settings: CrawlSettings
    scope: Scope
    strategy: StrategySource
    terms: TermsBook
    budgets: Budgets
    model: Model | None = None
    hooks: HooksFile | None = None


def make_plan(start_urls: Sequence[str], settings: CrawlSettings) -> Plan:
    """Check everything that can be checked beforehand; one clear sentence for what is wrong."""
    urls = []
    for given in start_urls:
        url = parse_url(given) or guess_url(given)
        if url is None:
            raise UsageError(
                f"{given!r} is not a web address; a start URL looks like https://example.org/."
            )
        urls.append(url)
    if settings.render == "always" and (missing := why_no_browser(settings.browser)):
        raise UsageError(f"--render always: {missing}; or use --render auto or never.")
    if settings.replay is not None:
        check_replay(settings.replay)
        settings = replace(settings, render="never", delay=settings.delay or 0.0)
    if settings.cookies is not None and not Path(settings.cookies).is_file():
        raise UsageError(f"--cookies: there is no file {settings.cookies}.")
    for address in settings.allow_address:
        parse_endpoint(address)
    agent = settings.user_agent.replace("{version}", telusur.__version__)
    settings = replace(settings, user_agent=agent)
    check_wish(settings.vectors, with_index=settings.index)
    parse_weights(settings.weight)
    Trust(settings.ca_bundle).check()
    check_proxy(settings.proxy or "http://none", "--proxy")
    for name, own in settings.host.items():
        check_proxy(own.proxy or "http://none", f'[host."{name}"] proxy')
    strategy = plan_strategy(settings)
    strategy.make()
    terms, budgets = TermsBook(settings, urls), Budgets(settings.budget)
    model = load_model(Path(settings.model)) if settings.model is not None else None
    hooks = read_hooks(settings.hooks) if settings.hooks is not None else None
    scope = Scope(urls, settings)
    return Plan(tuple(urls), settings, scope, strategy, terms, budgets, model, hooks)


@dataclass(slots=True, frozen=True)
class Summary:
    """How a crawl ended. `outcome` is done, pages, seconds or interrupted."""

    outcome: str
    seconds: float
    progress: Progress
    start_urls_left_out: tuple[tuple[str, str], ...] = ()


class CrawlRun:
    """One run over a collection that the caller has locked."""

    def __init__(self, directory: Path, plan: Plan, counts: Counts) -> None:
        self._directory = directory
        self._plan = plan
        self.progress = Progress.continuing(counts, time.time())
        self._steering = Steering(directory, plan.settings, plan.terms, self.progress)

    def stop(self, why: str = "interrupted") -> None:
        """Stop gracefully; call it in the event loop's thread."""
        self._steering.stop_because(why)

    async def run(
        self, report: Callable[[Progress], None] | None = None, every_seconds: float = 1.0
    ) -> Summary:
        """Crawl to the end; `report` is called every so often with the counters."""
        settings = self._plan.settings
        started = time.monotonic()
        return_large_blocks()
        discovery = make_discovery(self._plan)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(answering(self._directory, self._steering))
            connection = connect(self._directory, read_only=False)
            stack.callback(connection.close)
            recorder = Recorder(self._directory, connection, discovery, self._plan.strategy)
            stack.callback(recorder.close)
            recorder.frontier.limit_waiting(settings.most_waiting)
            recorder.recover(time.time())
            correct_position(self._directory, connection)
            sitemaps = SitemapRules(settings, discovery, self._plan.start_urls)
            crawl_id = self._begin(recorder, connection, discovery, sitemaps)
            indexer = IndexerProcess(self._directory, settings.vectors) if settings.index else None
            watching = asyncio.create_task(indexer.watch()) if indexer else None
            if indexer is not None:
                stack.push_async_callback(indexer.stop)
            client = open_gate(settings)
            stack.callback(client.close)
            wants_signature = settings.near_duplicates and settings.content == "article"
            parser = PageParser(
                discovery, settings.content, settings.max_bytes, wants_signature, self._plan.model,
                self._plan.hooks, Eyes(self._plan.strategy),
            )  # fmt: skip
            pool = await stack.enter_async_context(ParserPool(parser, _workers(settings)))
            renderers = await stack.enter_async_context(self._renderers())
            render = renderers.render if renderers is not None else None
            reader = PageReader(pool.parse, render, settings.render)
            equipment = Equipment(
                client, reader, recorder, discovery, time.time, self.progress,
                self._plan.terms.terms_for, self._plan.budgets, sitemaps,
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
            self._steering.ended(outcome)
            if indexer is not None and watching is not None:
                await _end(watching)
                await indexer.finish()
            self._end(connection, crawl_id, outcome)
        return Summary(outcome, time.monotonic() - started, self.progress)

    @asynccontextmanager
    async def _renderers(self) -> AsyncIterator[RenderingPool | None]:
        """Have browsers at hand, if pages may be rendered and there are any."""
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
        """Crawl; an index that cannot be written ends the crawl with its reason."""
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

    def _begin(
        self,
        recorder: Recorder,
        connection: sqlite3.Connection,
        discovery: Discovery,
        sitemaps: SitemapRules,
    ) -> int:
        """Record the crawl and put its start URLs into the frontier, in one transaction."""
        now = time.time()
        settings = json.dumps(_for_the_record(self._plan.settings))
        with storage_errors(self._directory), connection:
            connection.execute("BEGIN IMMEDIATE")
            last = connection.execute(
                "SELECT settings, start_urls FROM crawls ORDER BY id DESC LIMIT 1"
            ).fetchone()
            strategy = recorder.scoring.strategy
            if last is not None and _way_of(json.loads(last[0])) != _way_of(json.loads(settings)):
                recorder.scoring.start_over()
            recorder.scoring.resume()
            if last is not None:
                budgets, scope = self._plan.budgets, self._plan.scope
                if budgets:
                    budgets.count(answered_urls(connection))

                def judge(url: str, depth: int) -> str | None:
                    return scope.judge(url, depth) or budgets.objection(url) or None

                reasons = _reasons_to_reconsider(self._plan.settings, strategy)
                narrowed, score = _narrowed(self._plan, last), strategy.plain_score
                kept_out = (
                    recorder.frontier.keep_out(narrowed.objection, now) if narrowed.number else 0
                )
                more = recorder.frontier.admit_again(reasons, judge, score, now) - kept_out
                self.progress.waiting += more
                self.progress.skipped -= more
            if strategy.topic:
                connection.execute(BY_TOPIC)
            starts = _start(discovery, self._plan, strategy.start_score)
            added = recorder.frontier.add_start(starts, now)
            self.progress.found += added.fresh
            self.progress.waiting += added.waiting
            self.progress.gain(recorder.look_for_sitemaps(sitemaps, now))
            cursor = connection.execute(
                "INSERT INTO crawls (started_at, settings, start_urls) VALUES (?, ?, ?)",
                (now, settings, json.dumps(self._plan.start_urls)),
            )
        return int(cursor.lastrowid or 0)

    def _end(self, connection: sqlite3.Connection, crawl_id: int, outcome: str) -> None:
        with storage_errors(self._directory):
            connection.execute(
                "UPDATE crawls SET ended_at = ?, outcome = ? WHERE id = ?",
                (time.time(), outcome, crawl_id),
            )


def make_discovery(plan: Plan) -> Discovery:
    """Return what judges the links of this crawl's pages, as far as its strategy wants to know."""
    kind = plan.strategy.make()
    return Discovery(
        plan.scope,
        repeats=kind.judges_links or _wants_repeats(plan),
        sees_again=kind.again.counts,
    )


def _wants_repeats(plan: Plan) -> bool:
    """Tell whether links count each time they are seen.

    What was pushed out of a full frontier comes back when it is seen again, and what the user's
    own code refused on one page it may want on another.
    """
    judges_links = plan.hooks is not None and load_hooks(plan.hooks).judges_links
    return judges_links or plan.settings.most_waiting is not None


def _for_the_record(settings: CrawlSettings) -> dict[str, Any]:
    """Return the settings as they are kept, without the passwords of proxies."""
    record = asdict(settings)
    for table in (record, *record["host"].values()):
        table["proxy"] = without_password(table["proxy"] or "")
    return record


def _way_of(settings: dict[str, Any]) -> tuple[Any, ...]:
    """Return of a crawl's settings what decides its order; of older crawls, what was the rule."""
    names = ("topic", "like", "tune", "seed")
    has_topic = bool(settings["topic"] or settings.get("like"))
    strategy = settings["strategy"] or default_strategy(has_topic=has_topic)
    return strategy, *((settings.get(name) or None) for name in names)


def _reasons_to_reconsider(settings: CrawlSettings, strategy: Strategy) -> tuple[str, ...]:
    """Return why URLs were skipped that other settings, or a mended server, may let in."""
    limits = (Reason.SCOPE, Reason.DEPTH, Reason.EXCLUDED, Reason.CONTENT_TYPE, Reason.BUDGET)
    reasons = [*limits, Reason.FRONTIER_FULL, Reason.NOT_ARCHIVED, f"{Reason.ROBOTS}: unreachable"]
    if not settings.traps:
        reasons.append(Reason.TRAP)
    if settings.hooks is None:
        reasons.append(Reason.HOOKS)
    if not strategy.judges_links:
        reasons.append(Reason.STRATEGY)
    return tuple(reasons)


def _narrowed(plan: Plan, last: tuple[str, str]) -> Scope:
    """Return the scope, knowing in what it differs from that of the last crawl of the same URLs."""
    settings, start_urls = map(json.loads, last)
    if tuple(start_urls) != plan.start_urls:
        return plan.scope
    before = plan.scope.with_limits(settings.get("depth"), settings.get("scope", "site"))
    return before.with_limits(plan.settings.depth, plan.settings.scope)


def _start(discovery: Discovery, plan: Plan, score: float) -> list[NewUrl]:
    urls = []
    for url in plan.start_urls:
        found = discovery.found_by_address(url, 0)
        if found is not None:
            urls.append(NewUrl(found.url_id, found.link.url, found.host, found.site, 0, score))
    return urls


def _pids(
    pool: ParserPool, indexer: IndexerProcess | None, renderers: RenderingPool | None
) -> list[int]:
    pids = list(pool.pids.values())
    pids += renderers.pids() if renderers is not None else []
    return pids if indexer is None or indexer.pid is None else [*pids, indexer.pid]


def _workers(settings: CrawlSettings) -> int:
    return settings.workers or max(1, (os.cpu_count() or 2) - 1)


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
