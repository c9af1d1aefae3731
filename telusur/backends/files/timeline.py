"""The counters of a crawl over time: one line of JSON per sample, in a small file."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from telusur.backends.files.private import open_private, write_whole
from telusur.store.views import TimelinePoint

TIMELINE = "timeline.jsonl"
# With more samples, every second one is dropped, and new ones are taken half as often.
MOST_SAMPLES = 720


_NAMES = frozenset(row.name for row in fields(TimelinePoint))
_NEEDED = _NAMES - {"memory_bytes"}


class TimelineFile:
    """Appends samples; a kill costs at most the last line, which readers skip."""

    def __init__(self, directory: Path, every_seconds: float) -> None:
        self._path = directory / TIMELINE
        self._every_seconds = every_seconds
        self._samples = list(read_timeline(directory))
        self._last_at = float("-inf")
        # The file of an earlier crawl may end in half a line.
        self._is_clean = False

    def add(self, sample: TimelinePoint, *, is_last: bool = False) -> None:
        """Store a sample if one is due; the last one of a crawl always is.

        A full disk costs points of the chart, not the crawl.
        """
        # Clocks and timers differ a little, so half an interval early counts as due.
        if sample.at < self._last_at + 0.5 * self._every_seconds and not is_last:
            return
        self._last_at = sample.at
        self._samples.append(sample)
        with suppress(OSError):
            if len(self._samples) > MOST_SAMPLES:
                self._every_seconds *= 2
                self._samples = self._samples[::2]
                self._rewrite()
            elif not self._is_clean:
                self._rewrite()
            else:
                with open_private(self._path, "a", encoding="utf-8") as file:
                    file.write(_line(sample))

    def _rewrite(self) -> None:
        write_whole(self._path, "".join(map(_line, self._samples)))
        self._is_clean = True


def read_timeline(directory: Path, since: float = float("-inf")) -> tuple[TimelinePoint, ...]:
    """Return the samples of a collection, oldest first."""
    try:
        lines = (directory / TIMELINE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(sample for sample in _samples(lines) if sample.at >= since)


def _samples(lines: Iterable[str]) -> Iterator[TimelinePoint]:
    for line in lines:
        with suppress(ValueError, TypeError):
            record: dict[str, Any] = json.loads(line)
            if isinstance(record, dict) and record.keys() >= _NEEDED:
                yield TimelinePoint(**{name: record[name] for name in record.keys() & _NAMES})


def _line(sample: TimelinePoint) -> str:
    return json.dumps(asdict(sample), separators=(",", ":")) + "\n"
