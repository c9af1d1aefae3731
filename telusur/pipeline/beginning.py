"""How a crawl begins: the URLs that earlier crawls left are judged again, the start URLs added."""

from dataclasses import asdict
from typing import Any

from telusur.crawl.frontier_records import NewUrl
from telusur.crawl.hosts.health import is_hosts_reason
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.crawl.secrets import without_secrets
from telusur.crawl.strategies import Strategy
from telusur.crawl.strategies.by_name import default_strategy
from telusur.models import Reason, State
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.outcomes import Gained
from telusur.pipeline.plan.plan import Plan
from telusur.pipeline.recorder import Recorder
from telusur.settings import CrawlSettings
from telusur.store.records import CrawlRecord


def begin_crawl(
    recorder: Recorder, plan: Plan, discovery: Discovery, sitemaps: SitemapRules, progress: Progress
) -> int:
    """Record the crawl and add its start URLs to the frontier, in one transaction.

    Returns the id of the crawl.
    """
    settings = _for_the_record(plan.settings)
    with recorder.transaction():
        last = recorder.catalogue.last_crawl()
        strategy = recorder.scoring.strategy
        if last is not None and _order_of(last.settings) != _order_of(settings):
            recorder.scoring.start_over()
        recorder.scoring.resume()
        if last is not None:
            _judge_again(recorder, plan, last, progress)
        starts = _start_urls(discovery, plan, strategy.start_score)
        gained = Gained()
        gained.count(recorder.frontier.add_again(starts, _may_start_again))
        progress.gain(gained)
        progress.gain(recorder.look_for_sitemaps(sitemaps))
        return recorder.catalogue.begin_crawl(
            settings, plan.start_urls, has_topic=bool(strategy.topic)
        )


def _judge_again(recorder: Recorder, plan: Plan, last: CrawlRecord, progress: Progress) -> None:
    """Judge the URLs that earlier crawls left by the settings of this crawl."""
    budgets, scope = plan.budgets, plan.scope
    frontier, strategy = recorder.frontier, recorder.scoring.strategy
    if budgets:
        budgets.count(recorder.catalogue.answered_urls())

    def judge(url: str, depth: int) -> str | None:
        return scope.judge(url, depth) or budgets.objection(url) or None

    reasons = _reasons_to_reconsider(plan.settings, strategy)
    narrowed, score = _narrowed(plan, last), strategy.plain_score
    kept_out = frontier.keep_out(narrowed.objection) if narrowed.number else 0
    more = frontier.admit_again(reasons, judge, score) - kept_out
    again = frontier.retry_failed(is_hosts_reason, judge, score)
    progress.waiting += more + again
    progress.skipped -= more
    progress.failed -= again


def _for_the_record(settings: CrawlSettings) -> dict[str, Any]:
    """Return the settings to store, without credentials."""
    return without_secrets(asdict(settings))


def _may_start_again(state: State, reason: str) -> bool:
    """Tell whether a start URL of an earlier crawl is retried."""
    return state in (State.SKIPPED, State.FAILED)


def _order_of(settings: dict[str, Any]) -> tuple[Any, ...]:
    """Return the settings that decide the order of a crawl.

    Records of older crawls lack some of them; their defaults are used.
    """
    names = ("topic", "like", "tune", "seed")
    has_topic = bool(settings["topic"] or settings.get("like"))
    strategy = settings["strategy"] or default_strategy(has_topic=has_topic)
    return strategy, *((settings.get(name) or None) for name in names)


def _reasons_to_reconsider(settings: CrawlSettings, strategy: Strategy) -> tuple[str, ...]:
    """Return the reasons for skipping a URL that may no longer hold in this crawl."""
    limits = (Reason.SCOPE, Reason.DEPTH, Reason.EXCLUDED, Reason.CONTENT_TYPE, Reason.BUDGET)
    reasons = [*limits, Reason.FRONTIER_FULL, Reason.NOT_ARCHIVED, f"{Reason.ROBOTS}: unreachable"]
    if not settings.traps:
        reasons.append(Reason.TRAP)
    if settings.hooks is None:
        reasons.append(Reason.HOOKS)
    if not strategy.judges_links:
        reasons.append(Reason.STRATEGY)
    return tuple(reasons)


def _narrowed(plan: Plan, last: CrawlRecord) -> Scope:
    """Return the scope, with the limits that changed since the last crawl of the same URLs."""
    settings = last.settings
    if last.start_urls != plan.start_urls:
        return plan.scope
    before = plan.scope.with_limits(settings.get("depth"), settings.get("scope", "site"))
    return before.with_limits(plan.settings.depth, plan.settings.scope)


def _start_urls(discovery: Discovery, plan: Plan, score: float) -> list[NewUrl]:
    urls = []
    for url in plan.start_urls:
        found = discovery.found_by_address(url, 0)
        if found is not None:
            urls.append(NewUrl(found.url_id, found.link.url, found.host, found.site, 0, score))
    return urls
