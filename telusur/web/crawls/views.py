"""Turns crawls into what the templates show; nothing here reads or renders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from http import HTTPStatus
from typing import Any

from telusur.crawl.secrets import is_left_out
from telusur.models import Counts, State
from telusur.pipeline.control.status import (
    BUSY,
    IDLE,
    ON_REQUEST,
    OUTCOMES,
    PAUSED,
    RUNNING,
    STOPPING,
    Status,
)
from telusur.pipeline.plan.strategy_source import is_installed
from telusur.settings import CrawlSettings
from telusur.shelf import FILE_SETTINGS, Snapshot
from telusur.store.records import CrawlRecord
from telusur.store.views import LastPage, ListedUrl, SiteTally, TimelinePoint
from telusur.web.crawls.charts import Chart, draw_all, draw_spark
from telusur.web.crawls.failed_starts import Trouble, tell_trouble
from telusur.web.crawls.form import FORM
from telusur.web.frame import urls
from telusur.web.frame.dates import Moment, show_moment
from telusur.web.frame.site_colours import Hues
from telusur.web.frame.text import clean_line, show_bytes, show_seconds, show_span
from telusur.web.frame.views import Share, share_states

URLS_IN_RECAP = 20
# Settings of a run that are not shown: they have no flag, were filled in by us, or name the source
# of the URLs.
_NOT_TOLD = {"host", "user_agent", "urls_from"}
_BAR = 1000
# The state of a crawl has the colour of a state of a URL.
_STATE_OF = {RUNNING: "done", PAUSED: "skipped", STOPPING: "skipped", IDLE: "waiting"}
# The state shown for an idle crawl that fetched nothing.
FAILED = "failed"
# The visitor of a page has typed no command, so these differ from the command line.
_OUTCOMES = OUTCOMES | {
    "unreachable": "the last crawl left only URLs on hosts that did not respond; resume it to try"
    " them again",
    "running": "the last crawl was killed; start it again to resume",
}


@dataclass(slots=True, frozen=True)
class Tile:
    """A number with its name."""

    name: str
    value: str
    note: str = ""


@dataclass(slots=True, frozen=True)
class TableRow:
    """A row of a list: a name, a count, a bar and a link."""

    name: str
    number: int
    width: int
    url: str | None = None
    note: str = ""
    hue: int = 0
    # The text shown instead of the number, if any.
    shown: str = ""


@dataclass(slots=True, frozen=True)
class PageRow:
    """A recently fetched page."""

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
    # Why it fetched nothing, if so.
    trouble: Trouble | None
    is_crawling: bool
    tiles: list[Tile]
    shares: list[Share]
    charts: list[Chart]
    span: str
    sites: list[TableRow]
    more_sites: int
    statuses: list[TableRow]
    slowest: list[TableRow]
    failed: list[TableRow]
    skipped: list[TableRow]
    last_pages: list[PageRow]
    limits: dict[str, str]


def view_crawl(name: str, snapshot: Snapshot, hues: Hues) -> CrawlView:
    """Return what the page of a crawl shows at one moment."""
    status = snapshot.status
    samples = up_to_now(snapshot.samples, status)
    speed = status.pages_per_second if status.is_crawling else None
    return CrawlView(
        name=clean_line(name, 80),
        state=_state_of(status),
        tint=_tint_of(status),
        sentence=tell(status),
        trouble=tell_trouble(status.failed_starts) if status.failed_starts else None,
        is_crawling=status.state != IDLE,
        tiles=_tiles(status, samples),
        shares=share_states(_counts(status)),
        charts=draw_all(samples, show_bytes, speed),
        span=show_span(samples[-1].at - samples[0].at) if len(samples) > 1 else "",
        sites=_sites(status, hues),
        more_sites=status.site_count - len(status.sites),
        statuses=_rows(snapshot.answers.statuses, _meaning),
        slowest=[
            TableRow(clean_line(one.host, 80), one.answers, _width(one.seconds, slowest),
                note=f"{one.answers:,} responses", shown=show_seconds(one.seconds))
            for slowest in [max((one.seconds for one in snapshot.answers.slowest), default=0)]
            for one in snapshot.answers.slowest
        ],
        failed=_reasons(name, State.FAILED, status.failed_by_reason),
        skipped=_reasons(name, State.SKIPPED, status.skipped_by_reason),
        last_pages=[_view_page(page) for page in snapshot.last_pages],
        limits={limit: _plain(value) for limit, value in status.limits.items()},
    )  # fmt: skip


def up_to_now(samples: Sequence[TimelinePoint], status: Status) -> tuple[TimelinePoint, ...]:
    """Return the timeline of a crawl, ending with the numbers of its status.

    The tiles and charts of a page then agree.
    """
    if not samples:
        return ()
    last = samples[-1]
    now = replace(
        last, pages=status.pages, found=status.found, done=status.done,
        waiting=_waiting(status), failed=status.failed, skipped=status.skipped,
        memory_bytes=status.memory_bytes or last.memory_bytes,
    )  # fmt: skip
    if not status.is_crawling or status.started_at is None:
        return (*samples[:-1], now)
    at = max(status.started_at + status.seconds, last.at)
    return (*samples, replace(now, at=at, fetched=status.fetched, bytes=status.bytes))


def view_card(name: str, status: Status, samples: Sequence[TimelinePoint], home_url: str) -> Card:
    """Return a collection in the list of crawls."""
    return Card(
        clean_line(name, 80), urls.crawl_url(name), home_url, _state_of(status),
        _tint_of(status), tell(status), status.pages, _waiting(status),
        status.failed, draw_spark(up_to_now(samples, status)),
    )  # fmt: skip


def _waiting(status: Status) -> int:
    """Return how many URLs are waiting or in flight, as the counts of sites do."""
    return status.waiting + status.in_flight


def _state_of(status: Status) -> str:
    return FAILED if status.failed_starts else status.state


def _tint_of(status: Status) -> str:
    return "failed" if status.failed_starts else _STATE_OF.get(status.state, "leased")


def tell(status: Status) -> str:
    """Return in one sentence what a crawl is doing."""
    if status.failed_starts:
        return tell_trouble(status.failed_starts).cause
    if status.state == IDLE:
        words = _OUTCOMES.get(status.reason, f"the last crawl ended: {clean_line(status.reason)}")
        return f"{words[0].upper()}{words[1:]}."
    if status.state == BUSY:
        return "Another process is writing to the collection and cannot be asked for its status."
    if status.state == STOPPING:
        return "Completing requests in flight." if status.in_flight else "Finishing the index."
    since = f"Started {show_span(status.seconds)} ago."
    if not status.reason:
        return since
    why = "paused on request" if status.reason == ON_REQUEST else clean_line(status.reason)
    return f"{why[0].upper()}{why[1:]}. {since}"


def view_run(run: CrawlRecord, usual: CrawlSettings) -> dict[str, Any]:
    """Return the settings of a crawl that differ from the defaults, by their labels."""
    labels = {field.name: field.label for field in FORM}
    told = []
    for each in fields(CrawlSettings):
        value = run.settings.get(each.name)
        value = tuple(value) if isinstance(value, list) else value
        # The version is filled into the user agent when a crawl starts.
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


def settings_of_run(
    run: CrawlRecord, usual: CrawlSettings
) -> tuple[CrawlSettings, tuple[str, ...]]:
    """Return the settings of a run for a command line, and the flags that are left out.

    Files are left out because the run may be a stranger's and the command is meant to be pasted.
    Credentials are left out because they are not stored.
    """
    known = {each.name for each in fields(CrawlSettings)} - _NOT_TOLD
    values = {name: value for name, value in run.settings.items() if name in known and value != ""}
    if headers := values.get("header"):
        values["header"] = tuple(one for one in headers if not is_left_out(one))
    gone = [name for name in FILE_SETTINGS if not _may_be_pasted(name, values.get(name), usual)]
    gone += ["proxy"] if is_left_out(values.get("proxy") or "") else []
    lacking = [*gone, *(["header"] if values.get("header") != headers else [])]
    for name in gone:
        values.pop(name, None)
    flags = tuple(f"--{name.replace('_', '-')}" for name in lacking)
    return CrawlSettings(**(vars(usual) | values)), flags


def _may_be_pasted(name: str, value: Any, usual: CrawlSettings) -> bool:
    is_usual = not value or value == getattr(usual, name)
    return is_usual or (name == "strategy" and is_installed(value))


def view_url(one: ListedUrl) -> dict[str, Any]:
    """Return a URL as a row of a list."""
    return {
        "address": clean_line(one.url, 200),
        "url": urls.page_url(one.url),
        "reason": clean_line(one.reason),
        "depth": one.depth,
        "at": show_moment(one.changed_at),
    }


def _tiles(status: Status, samples: Sequence[TimelinePoint]) -> list[Tile]:
    harvest = getattr(status, "harvest_rate", None)
    memory = status.memory_bytes
    tiles = [
        Tile("Pages/s", f"{status.pages_per_second:,.1f}") if status.is_crawling else None,
        Tile("Pages", f"{status.pages:,}"),
        Tile("Waiting", f"{_waiting(status):,}"),
        Tile("Done", f"{status.done:,}"),
        Tile("Failed", f"{status.failed:,}"),
        Tile("Skipped", f"{status.skipped:,}"),
        Tile("Fetched", show_bytes(samples[-1].bytes), "in this crawl") if samples else None,
        Tile("Memory", show_bytes(memory), f"in {status.processes} processes") if memory else None,
        Tile("Harvest", f"{harvest:.0%}", "of its pages are relevant")
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


def _sites(status: Status, hues: Hues) -> list[TableRow]:
    most = max((one.pages for one in status.sites), default=0)
    return [
        TableRow(
            clean_line(one.site, 80), one.pages, _width(one.pages, most),
            urls.site_url(one.site), _waiting_and_failed(one), hues.of(one.site),
        )
        for one in status.sites
    ]  # fmt: skip


def _waiting_and_failed(site: SiteTally) -> str:
    counts = (("waiting", site.waiting), ("failed", site.failed))
    return ", ".join(f"{number:,} {name}" for name, number in counts if number)


def _rows(counts: Mapping[str, int], note: Any) -> list[TableRow]:
    most = max(counts.values(), default=0)
    return [
        TableRow(clean_line(name, 80), number, _width(number, most), note=note(name))
        for name, number in counts.items()
    ]


def _meaning(code: str) -> str:
    if code == "none":
        return "no response"
    known = {str(each.value): each.phrase for each in HTTPStatus}
    return known.get(code, "")


def _reasons(name: str, state: State, counts: Mapping[str, int]) -> list[TableRow]:
    most = max(counts.values(), default=0)
    return [
        TableRow(clean_line(reason, 80) or "no reason", number, _width(number, most),
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
