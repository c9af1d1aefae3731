"""The course of a crawl over time, a line of JSON a sample, in a file that stays small."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

TIMELINE = "timeline.jsonl"
MOST_SAMPLES = 720
"""With more, every second one is dropped, and from then on they are taken half as often."""


@dataclass(slots=True, frozen=True)
class Sample:
    """The counters of a crawl at one moment; those of a collection count over all its crawls."""

    at: float
    pages: int
    found: int
    waiting: int
    done: int
    failed: int
    skipped: int
    fetched: int
    bytes: int
    memory_bytes: int | None = None


_NAMES = frozenset(row.name for row in fields(Sample))
_NEEDED = _NAMES - {"memory_bytes"}


class TimelineFile:
    """Appends samples; a kill costs at most the last line, which readers then pass over."""

    def __init__(self, directory: Path, every_seconds: float) -> None:
        self._path = directory / TIMELINE
        self._every_seconds = every_seconds
        self._samples = list(read_timeline(directory))
        self._last_at = float("-inf")
        # What an older crawl left may end in half a line.
        self._is_clean = False

    def add(self, sample: Sample, *, is_last: bool = False) -> None:
        """Keep a sample if it is time for one; the last of a crawl always is.

        A disk that refuses costs the picture of the crawl, not the crawl.
        """
        # Clocks and timers are never quite in step; half a step early is in time.
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
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(_line(sample))

    def _rewrite(self) -> None:
        half_made = self._path.with_suffix(".new")
        half_made.write_text("".join(map(_line, self._samples)), encoding="utf-8")
        half_made.rename(self._path)
        self._is_clean = True


def read_timeline(directory: Path, since: float = float("-inf")) -> tuple[Sample, ...]:
    """Return the samples of a collection, oldest first; none where there is no timeline."""
    try:
        lines = (directory / TIMELINE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(sample for sample in _samples(lines) if sample.at >= since)


def _samples(lines: Iterable[str]) -> Iterator[Sample]:
    for line in lines:
        with suppress(ValueError, TypeError):
            record: dict[str, Any] = json.loads(line)
            if isinstance(record, dict) and record.keys() >= _NEEDED:
                yield Sample(**{name: record[name] for name in record.keys() & _NAMES})


def _line(sample: Sample) -> str:
    return json.dumps(asdict(sample), separators=(",", ":")) + "\n"
