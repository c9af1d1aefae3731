"""The plan of a crawl: start URLs and settings, checked before anything is written."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from telusur.crawl.hosts.shares import Budgets, parse_weights
from telusur.crawl.hosts.terms import TermsBook
from telusur.crawl.rules.content_types import ContentTypes
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.crawl.urls.identity import check_userinfo, complete_url
from telusur.errors import UsageError
from telusur.extract.content.model import Model, load_model
from telusur.fetch.addresses import parse_endpoint
from telusur.fetch.browser.renderer import why_no_browser
from telusur.fetch.curl.cookie_file import check_cookies
from telusur.fetch.curl.handle import Trust, check_proxy
from telusur.machine.open_files import files_needed, most_files
from telusur.pipeline.crawl_gate import check_replay
from telusur.pipeline.indexing.vectors import check_wish
from telusur.pipeline.parsing.hooks import load_hooks
from telusur.pipeline.parsing.hooks_file import HooksFile, read_hooks
from telusur.pipeline.plan.strategy_source import StrategySource
from telusur.pipeline.plan.topic_source import plan_strategy
from telusur.settings import CrawlSettings
from telusur.settings.row import check_one_line
from telusur.version import __version__


@dataclass(slots=True, frozen=True)
class Plan:
    """A crawl with checked settings; nothing has been written yet."""

    start_urls: tuple[str, ...]
    settings: CrawlSettings
    scope: Scope
    strategy: StrategySource
    terms: TermsBook
    budgets: Budgets
    model: Model | None = None
    hooks: HooksFile | None = None


def make_plan(start_urls: Sequence[str], settings: CrawlSettings) -> Plan:
    """Check everything that can be checked before a crawl; errors are one sentence."""
    urls = [_start_url(given) for given in start_urls]
    if settings.render == "always" and (missing := why_no_browser(settings.browser)):
        raise UsageError(f"--render always: {missing}; or use --render auto or never.")
    if settings.replay is not None:
        check_replay(settings.replay)
        settings = replace(settings, render="never", delay=settings.delay or 0.0)
    if settings.cookies is not None:
        check_cookies(settings.cookies)
    _check_open_files(settings)
    for address in settings.allow_address:
        parse_endpoint(address)
    agent = settings.user_agent.replace("{version}", __version__)
    settings = replace(settings, user_agent=agent)
    ContentTypes(settings.content_type)
    check_wish(settings.vectors, with_index=settings.index)
    parse_weights(settings.weight)
    Trust(settings.ca_bundle).check()
    check_proxy(settings.proxy or "http://none", "--proxy")
    for name, own in settings.host.items():
        check_proxy(own.proxy or "http://none", f'[host."{name}"] proxy')
    strategy = plan_strategy(settings)
    strategy.make()
    terms, budgets = TermsBook(settings, urls), Budgets(settings.budget)
    for url in urls:
        terms.check_start(url)
    check_one_line(settings.user_agent, "--user-agent")
    model = load_model(Path(settings.model)) if settings.model is not None else None
    hooks = read_hooks(settings.hooks) if settings.hooks is not None else None
    scope = Scope(urls, settings)
    return Plan(tuple(urls), settings, scope, strategy, terms, budgets, model, hooks)


def _start_url(given: str) -> str:
    check_userinfo(given)
    url = complete_url(given)
    if url is None:
        raise UsageError(
            f"{given!r} is not a web address; a start URL looks like https://example.org/."
        )
    return url


def _check_open_files(settings: CrawlSettings) -> None:
    needed, most = files_of(settings), most_files()
    if most is not None and needed > most:
        raise UsageError(
            f"--workers {workers_of(settings)}, --connections {settings.connections} and "
            f"--browsers {settings.browsers} need about {needed:,} open files, and the system "
            f"allows {most:,}; use fewer, or raise the limit with `ulimit -n`."
        )


def files_of(settings: CrawlSettings) -> int:
    """Return the number of files that a crawl may have open."""
    return files_needed(workers_of(settings), settings.connections, settings.browsers)


def workers_of(settings: CrawlSettings) -> int:
    """Return the number of parser processes."""
    return settings.workers or max(1, (os.cpu_count() or 2) - 1)


def make_discovery(plan: Plan) -> Discovery:
    """Return the judge of this crawl's links, as its strategy needs it."""
    kind = plan.strategy.make()
    return Discovery(
        plan.scope,
        repeats=kind.judges_links or _wants_repeats(plan),
        sees_again=kind.again.counts,
    )


def _wants_repeats(plan: Plan) -> bool:
    """Tell whether a link is passed on each time it is seen.

    A URL that was pushed out of a full frontier may come back, and hooks may refuse a link on one
    page and want it on another.
    """
    judges_links = plan.hooks is not None and load_hooks(plan.hooks).judges_links
    return judges_links or plan.settings.most_waiting is not None
