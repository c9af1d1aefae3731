"""Crawls turned into what the templates show; nothing here reads or renders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Any

from telusur.adapters.sqlite_crawls import LastPage, ListedUrl, Run
from telusur.adapters.sqlite_tallies import SiteTally
from telusur.adapters.timeline_file import Sample
from telusur.models import Counts, State
from telusur.run.status import BUSY, IDLE, OUTCOMES, PAUSED, RUNNING, STOPPING, Status
from telusur.settings import CrawlSettings
from telusur.shelf import Snapshot
from telusur.web import urls
from telusur.web.charts import Chart, draw_all, draw_spark
from telusur.web.crawl_form import FORM
from telusur.web.dates import Moment, show_moment
from telusur.web.text import clean_line, show_bytes, show_seconds, show_span
from telusur.web.views import Share, hue_of, share_states

URLS_IN_RECAP = 20
_NOT_TOLD = {"host", "user_agent", "urls_from"}
"""Of the settings of a run: what no flag says, what was filled in, and where the URLs came from."""
_BAR = 1000
_STATE_OF = {RUNNING: "done", PAUSED: "skipped", STOPPING: "skipped", IDLE: "waiting"}
"""The colour of a crawl's state is that of a state of a URL."""


@dataclass(slots=True, frozen=True)
class Tile:
    """A number with its name."""

    name: str
    value: str
    note: str = ""


@dataclass(slots=True, frozen=True)
class Row:
    """A line of a list: what, how often, a bar, and where it leads."""

    name: str
    number: int
    width: int
    url: str | None = None
    note: str = ""
    hue: int = 0
    shown: str = ""
    """What stands for the number, where that is not the number itself."""


@dataclass(slots=True, frozen=True)
class PageRow:
    """A page that was fetched lately."""

    name: str
    address: str
    url: str
    status: str
    tint: str
    seconds: str
    at: Moment


@dataclass(slots=True, frozen=True)
class Card:
    """A collection in the list of crawls."""

    name: str
    url: str
    home_url: str
    state: str
    tint: str
    sentence: str
    pages: int
    waiting: int
    failed: int
    spark: Chart


@dataclass(slots=True, frozen=True)
class CrawlView:
    """A crawl as its page shows it."""

    name: str
    state: str
    tint: str
    sentence: str
    is_crawling: bool
    tiles: list[Tile]
    shares: list[Share]
    charts: list[Chart]
    span: str
    sites: list[Row]
    more_sites: int
    statuses: list[Row]
    slowest: list[Row]
    failed: list[Row]
    skipped: list[Row]
    last_pages: list[PageRow]
    limits: dict[str, str]


def view_crawl(name: str, snapshot: Snapshot) -> CrawlView:
    """Return what is shown of a crawl at one moment."""
    status, samples = snapshot.status, snapshot.samples
    return CrawlView(
        name=clean_line(name, 80),
        state=status.state,
        tint=_STATE_OF.get(status.state, "leased"),
        sentence=tell(status),
        is_crawling=status.state != IDLE,
        tiles=_tiles(status, samples),
        shares=share_states(_counts(status)),
        charts=draw_all(samples, show_bytes),
        span=show_span(samples[-1].at - samples[0].at) if len(samples) > 1 else "",
        sites=_sites(status),
        more_sites=status.site_count - len(status.sites),
        statuses=_rows(snapshot.answers.statuses, _meaning),
        slowest=[
            Row(clean_line(one.host, 80), one.answers, _width(one.seconds, slowest),
                note=f"{one.answers:,} answers", shown=show_seconds(one.seconds))
            for slowest in [max((one.seconds for one in snapshot.answers.slowest), default=0)]
            for one in snapshot.answers.slowest
        ],
        failed=_reasons(name, State.FAILED, status.failed_by_reason),
        skipped=_reasons(name, State.SKIPPED, status.skipped_by_reason),
        last_pages=[_view_page(page) for page in snapshot.last_pages],
        limits={limit: _plain(value) for limit, value in status.limits.items()},
    )  # fmt: skip


def view_card(name: str, status: Status, samples: Sequence[Sample], home_url: str) -> Card:
    """Return a collection in the list of crawls."""
    return Card(
        clean_line(name, 80), urls.crawl_url(name), home_url, status.state,
        _STATE_OF.get(status.state, "leased"), tell(status), status.pages, status.waiting,
        status.failed, draw_spark(samples),
    )  # fmt: skip


def tell(status: Status) -> str:
    """Return in one sentence what a crawl is doing."""
    if status.state == IDLE:
        words = OUTCOMES.get(status.reason, f"the last crawl ended: {clean_line(status.reason)}")
        return f"{words[0].upper()}{words[1:]}."
    if status.state == BUSY:
        return "A process writes the collection that cannot be asked."
    if status.state == STOPPING:
        return "What is in flight ends." if status.in_flight else "The index catches up."
    since = f"Started {show_span(status.seconds)} ago."
    return f"{clean_line(status.reason).capitalize()}. {since}" if status.reason else since


def view_run(run: Run, usual: CrawlSettings) -> dict[str, Any]:
    """Return what a crawl was told: the settings that are not as usual, by their labels."""
    labels = {field.name: field.label for field in FORM}
    told = []
    for each in fields(CrawlSettings):
        value = run.settings.get(each.name)
        value = tuple(value) if isinstance(value, list) else value
        # The version is put into the user agent when a crawl starts.
        if value in (None, "", getattr(usual, each.name)) or each.name in _NOT_TOLD:
            continue
        value = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        words = ", ".join(map(str, value)) if isinstance(value, tuple) else _plain(value)
        label = labels.get(each.name, each.name.replace("_", " ").capitalize())
        told.append((label, clean_line(words)))
    return {
        "urls": [clean_line(url, 120) for url in run.start_urls[:URLS_IN_RECAP]],
        "more_urls": max(len(run.start_urls) - URLS_IN_RECAP, 0),
        "told": told,
        "started_at": show_moment(run.started_at),
        "ended_at": show_moment(run.ended_at) if run.ended_at else None,
    }


def settings_of_run(run: Run, usual: CrawlSettings) -> CrawlSettings:
    """Return the settings of a run that a command line can say."""
    known = {each.name for each in fields(CrawlSettings)} - _NOT_TOLD
    values = {name: value for name, value in run.settings.items() if name in known and value != ""}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    kept = vars(usual) | values | lists
    return CrawlSettings(**kept)


def view_url(one: ListedUrl) -> dict[str, Any]:
    """Return a URL as a list shows it."""
    return {
        "address": clean_line(one.url, 200),
        "url": urls.page_url(one.url),
        "reason": clean_line(one.reason),
        "depth": one.depth,
        "at": show_moment(one.changed_at),
    }


def _tiles(status: Status, samples: Sequence[Sample]) -> list[Tile]:
    harvest = getattr(status, "harvest_rate", None)
    memory = status.memory_bytes
    tiles = [
        Tile("Pages/s", f"{status.pages_per_second:,.1f}") if status.is_crawling else None,
        Tile("Pages", f"{status.pages:,}"),
        Tile("Waiting", f"{status.waiting:,}"),
        Tile("Done", f"{status.done:,}"),
        Tile("Failed", f"{status.failed:,}"),
        Tile("Skipped", f"{status.skipped:,}"),
        Tile("Fetched", show_bytes(samples[-1].bytes), "in this crawl") if samples else None,
        Tile("Memory", show_bytes(memory), f"in {status.processes} processes") if memory else None,
        Tile("Harvest", f"{harvest:.0%}", "of its pages fit the topic")
        if isinstance(harvest, float)
        else None,
    ]
    return [tile for tile in tiles if tile is not None]


def _counts(status: Status) -> Counts:
    return Counts(
        waiting=status.waiting, leased=status.in_flight, done=status.done, failed=status.failed,
        skipped=status.skipped, pages=status.pages, documents=0,
    )  # fmt: skip


def _width(number: float, most: float) -> int:
    return max(round(_BAR * number / most), 4) if number else 0


def _sites(status: Status) -> list[Row]:
    most = max((one.pages for one in status.sites), default=0)
    return [
        Row(clean_line(one.site, 80), one.pages, _width(one.pages, most), urls.site_url(one.site),
            _waiting_and_failed(one), hue_of(one.site))
        for one in status.sites
        if one.pages or one.waiting or one.failed
    ]  # fmt: skip


def _waiting_and_failed(site: SiteTally) -> str:
    counts = (("waiting", site.waiting), ("failed", site.failed))
    return ", ".join(f"{number:,} {name}" for name, number in counts if number)


def _rows(counts: Mapping[str, int], note: Any) -> list[Row]:
    most = max(counts.values(), default=0)
    return [
        Row(clean_line(name, 80), number, _width(number, most), note=note(name))
        for name, number in counts.items()
    ]


def _meaning(code: str) -> str:
    if code == "none":
        return "no answer"
    known = {str(each.value): each.phrase for each in HTTPStatus}
    return known.get(code, "")


def _reasons(name: str, state: State, counts: Mapping[str, int]) -> list[Row]:
    most = max(counts.values(), default=0)
    return [
        Row(clean_line(reason, 80) or "no reason", number, _width(number, most),
            urls.crawl_url(name, urls.CRAWL_URLS, state=state.value, reason=reason))
        for reason, number in counts.items()
    ]  # fmt: skip


def _view_page(page: LastPage) -> PageRow:
    address = clean_line(page.url, 120)
    is_fine = page.status is not None and page.status < 400
    return PageRow(
        clean_line(page.title, 100) or address,
        address,
        urls.page_url(page.url),
        str(page.status) if page.status is not None else clean_line(page.reason, 40) or "none",
        "done" if is_fine else "failed",
        show_seconds(page.seconds),
        show_moment(page.fetched_at),
    )


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
