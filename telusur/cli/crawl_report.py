"""How a crawl reports its progress: a live line on a terminal, plain lines in a pipe, or JSON."""

import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from telusur.cli.output import answer_json, console, human_bytes, human_seconds, printable, say
from telusur.cli.program import program
from telusur.models import Counts
from telusur.pipeline.control.progress import Progress, Speedometer
from telusur.pipeline.crawl import Summary

HEARTBEAT_SECONDS = 60.0
ENDINGS = {
    "done": "Nothing is left to fetch",
    "pages": "The page limit is reached",
    "seconds": "The time limit is reached",
    "bytes": "The byte limit is reached",
    "interrupted": "Stopped as you asked",
    "unreachable": "The remaining URLs are on hosts that do not respond; run the same command to"
    " try them again",
}


class Watcher:
    """Reports a running crawl in plain lines, one per minute; the base of the other two."""

    every_seconds = HEARTBEAT_SECONDS

    def __init__(self, address: str) -> None:
        self._address = address
        self._is_first = True

    def report(self, progress: Progress) -> None:
        """Show the counters."""
        if self._is_first:  # nothing has happened yet
            self._is_first = False
            return
        say(progress_line(progress, time.time()))

    def interrupted(self) -> None:
        """Report that the first Ctrl-C was received."""
        say("Stopping: waiting for requests in flight. Press Ctrl-C again to stop at once.")

    def summarise(self, summary: Summary, counts: Counts) -> None:
        """Report how the crawl ended."""
        progress = summary.progress
        out = console()
        out.print(
            Text(
                f"{_counted(progress.fetched, 'page')} ({human_bytes(progress.bytes)}) in "
                f"{human_seconds(summary.seconds)}. {_counted(counts.documents, 'document')} in "
                f"{printable(self._address)}; {counts.waiting} URLs waiting, "
                f"{counts.failed} failed, {counts.skipped} skipped."
            )
        )
        if counts.done or summary.outcome != "done":  # the command itself says that nothing came
            say(f"{ENDINGS.get(summary.outcome, summary.outcome)}.")
        if progress.judged:
            say(f"{harvest(progress)} of the pages.")
        for hold in progress.holds[:5]:
            say(f"  {printable(hold.in_words())}")
        for reason, number in progress.reasons.most_common(5):
            say(f"  {number} failed: {printable(reason)}")
        for trouble, number in progress.hook_troubles.most_common(5):
            say(f"  {_counted(number, 'page')} with {printable(trouble)}")
        for line in rendering_lines(progress):
            say(f"  {line}")
        if counts.documents:
            say(f"Search it: {program()} search WORDS --in {shlex.quote(self._address)}")


class LiveWatcher(Watcher):
    """Shows one live line that changes in place."""

    every_seconds = 0.2

    def __init__(self, address: str, live: Live) -> None:
        super().__init__(address)
        self._live = live
        self._speedometer = Speedometer()

    def report(self, progress: Progress) -> None:
        """Redraw the line."""
        now = time.time()
        width = self._live.console.width
        text = progress_line(progress, now, self._speedometer.measure(progress, now).pages)
        line = Text(text, style="bold")
        room = width - len(text) - 3
        if room > 20 and progress.last_url:
            line.append("  " + printable(progress.last_url)[:room], style="not bold dim")
        self._live.update(line, refresh=True)


class JsonWatcher(Watcher):
    """Prints one JSON object per line, each with a `type`; the last is the summary."""

    every_seconds = 1.0

    def report(self, progress: Progress) -> None:
        """Print the counters as a record."""
        answer_json({"type": "progress", **_record(progress)})

    def summarise(self, summary: Summary, counts: Counts) -> None:
        """Print the final record."""
        progress = summary.progress
        answer_json(
            {
                "type": "summary",
                "outcome": summary.outcome,
                "seconds": round(summary.seconds, 3),
                **_record(progress),
                "waiting": counts.waiting,
                "documents": counts.documents,
                "failures": dict(progress.reasons),
                "holds": [
                    {"host": hold.host, "until": hold.until, "why": hold.why}
                    for hold in progress.holds
                ],
                "rendered": progress.rendered,
                "not_rendered": progress.needs_browser + progress.unrendered.total(),
                "no_browser": progress.no_browser,
                "hook_failures": dict(progress.hook_troubles),
            }
        )


def rendering_lines(progress: Progress) -> list[str]:
    """Return sentences about the pages that a browser rendered or could not."""
    lines = []
    if progress.rendered:
        lines.append(f"{_pages(progress.rendered)} rendered in a browser.")
    for reason, number in progress.unrendered.most_common(3):
        lines.append(f"{_pages(number)} not rendered: {printable(reason)}.")
    if progress.needs_browser:
        missing = f": {progress.no_browser}" if progress.no_browser else ""
        lines.append(
            f"{_pages(progress.needs_browser)} made by JavaScript and not rendered{missing}."
        )
    return lines


def _pages(number: int) -> str:
    return f"{_counted(number, 'page')} {'was' if number == 1 else 'were'}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def progress_line(progress: Progress, now: float, speed: float | None = None) -> str:
    """Return the counters as a line of text."""
    seconds = max(now - progress.started_at, 0.001)
    if speed is None:
        speed = progress.fetched / seconds
    pace = "paused" if progress.paused else f"{speed:.1f}/s"
    about = f"{harvest(progress)}  " if progress.judged else ""
    return (
        f"{progress.fetched} pages  {pace}  {about}{progress.waiting} waiting  "
        f"{progress.failed} failed  {human_bytes(progress.bytes)}  {human_seconds(seconds)}"
    )


def harvest(progress: Progress) -> str:
    """Return how many pages are relevant, in words."""
    return f"{progress.relevant} relevant, {100 * (progress.harvest_rate or 0.0):.0f} %"


def _record(progress: Progress) -> dict[str, Any]:
    names = ("found", "waiting", "pages", "done", "failed", "skipped", "fetched", "bytes")
    record = {name: getattr(progress, name) for name in (*names, "last_url", "paused", "held")}
    if (rate := progress.harvest_rate) is not None:
        record |= {"relevant": progress.relevant, "harvest_rate": round(rate, 4)}
    return record


@contextmanager
def watch(address: str, *, as_json: bool) -> Iterator[Watcher]:
    """Choose how to show the crawl."""
    screen: Console = console(stderr=True)
    if as_json:
        yield JsonWatcher(address)
    elif screen.is_terminal:
        with Live(console=screen, auto_refresh=False, transient=True) as live:
            yield LiveWatcher(address, live)
    else:
        yield Watcher(address)
