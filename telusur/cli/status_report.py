"""The status of a collection as a compact dashboard."""

import datetime
from collections.abc import Iterable, Mapping

from rich.text import Text

from telusur.cli.output import fate, human_bytes, human_seconds, printable
from telusur.pipeline.control.status import BUSY, IDLE, OUTCOMES, PAUSED, RUNNING, STOPPING, Status

BAR = 30
MOST_REASONS = 6
COLOURS = {RUNNING: "green", PAUSED: "yellow", STOPPING: "yellow", IDLE: "dim", BUSY: "yellow"}
WINDING_DOWN = "completing requests in flight"
CATCHING_UP = "finishing the index"


def dashboard(status: Status, name: str, width: int) -> Text:
    """Return the dashboard; lines fit into `width` where possible."""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(printable(name), style="bold").append("  ")
    text.append(status.state, style=f"bold {COLOURS.get(status.state, '')}")
    text.append(f"  {_circumstances(status)}\n")
    for label, line in _lines(status):
        text.append(f"  {label:<9}", style="dim").append(f"{line}\n")
    if status.sites:
        _add_sites(text, status, width)
    if status.is_crawling and status.last_url:
        text.append(f"  {'last':<9}", style="dim")
        text.append(printable(status.last_url)[: max(width - 11, 20)] + "\n")
    text.rstrip()
    return text


def _circumstances(status: Status) -> str:
    if status.state == IDLE:
        ended = f", {_when(status.ended_at)}" if status.ended_at else ""
        if starts := status.failed_starts:
            first = f"{printable(starts.url)} {fate(starts.state, starts.reason)}"
            return f"the last crawl fetched nothing: {first}{ended}"
        return OUTCOMES.get(status.reason, f"the last crawl ended: {status.reason}") + ended
    if status.state == BUSY:
        return "another process is writing to the collection and cannot be asked for its status"
    words = [f"started {human_seconds(status.seconds)} ago", f"process {status.pid}"]
    if status.state == STOPPING:
        words.insert(0, WINDING_DOWN if status.in_flight else CATCHING_UP)
    elif status.reason:
        words.insert(0, status.reason)
    return ", ".join(words)


def _lines(status: Status) -> Iterable[tuple[str, str]]:
    ended = status.done + status.failed + status.skipped
    share = ended / status.found if status.found else 0.0
    bar = "█" * round(share * BAR)
    yield "URLs", f"{bar:░<{BAR}} {share:.0%} of {status.found:,} found"
    names = ("waiting", "in_flight", "done", "failed", "skipped")
    counters = [(name.replace("_", " "), getattr(status, name)) for name in names]
    yield "", _joined(f"{number:,} {name}" for name, number in counters)
    if status.is_crawling:
        pages = f"{status.fetched:,} pages in this run"
        speed = f"{status.pages_per_second:.1f} pages/s"
        pace = f"{human_bytes(round(status.bytes_per_second))}/s"
        yield "speed", _joined([speed, pace, pages, human_bytes(status.bytes)])
        if status.memory_bytes is not None:
            memory = human_bytes(status.memory_bytes)
            yield "memory", f"{memory} in {status.processes} processes"
    if status.harvest_rate is not None:
        yield (
            "topic",
            f"{status.relevant:,} relevant pages, {status.harvest_rate:.0%} of this crawl's",
        )
    for sentence in status.held[:MOST_REASONS]:
        yield "waits", printable(sentence)
    for label, counts, between in (
        ("answers", status.answers, " × "),
        ("failed", status.failed_by_reason, " "),
        ("skipped", status.skipped_by_reason, " "),
    ):
        if counts:
            yield label, _reasons(counts, between)


def _reasons(counts: Mapping[str, int], between: str) -> str:
    shown = [f"{n:,}{between}{printable(reason)}" for reason, n in counts.items()]
    more = len(shown) - MOST_REASONS
    return _joined(shown[:MOST_REASONS] + ([f"{more} more"] if more > 0 else []))


def _joined(words: Iterable[str]) -> str:
    return " · ".join(words)


def _add_sites(text: Text, status: Status, width: int) -> None:
    names = [printable(row.site) for row in status.sites]
    room = max(min(max(map(len, names)), width - 38), 8)
    heading = f"{'site':<{room}} {'pages':>9} {'waiting':>9} {'failed':>7}"
    text.append(f"\n  {heading}\n", style="dim")
    for name, row in zip(names, status.sites, strict=True):
        numbers = f"{row.pages:>9,} {row.waiting:>9,}"
        text.append(f"  {name[:room]:<{room}} {numbers} {row.failed:>7,}\n")
    if status.site_count > len(status.sites):
        more = status.site_count - len(status.sites)
        text.append(f"  and {more:,} more\n", style="dim")
    text.append("\n")


def _when(at: float) -> str:
    return datetime.datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
