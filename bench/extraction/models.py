"""Which model tests which page: one that saw neither its set nor its site.

A model is trained when it is needed, and kept under a hash of the lessons, of the code of the
learner and of what is held back. So a second run trains nothing, and a change of the learner or of
the features trains everything again.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from bench.extraction.hashes import LEARNER, READER, TRUTH, hash_of, hash_of_code
from bench.extraction.sets import PageSet
from telusur.learn.folds import folds_by_site, groups_of_sources
from telusur.learn.lessons.examples import make_all
from telusur.learn.lessons.witnesses import Witnesses
from telusur.learn.teaching import Lessons, teach
from telusur.learn.training import TrainingCourse


@dataclass(slots=True, frozen=True)
class HeldBack:
    """What a model is trained without: sets and sites."""

    sources: frozenset[str] = frozenset()
    sites: frozenset[str] = frozenset()
    # In a few words, for people.
    name: str = ""

    @property
    def hash(self) -> str:
        """Return a hash of the sets and sites."""
        return hash_of(sorted(self.sources), sorted(self.sites))


class Classroom:
    """Trains models on some sets; each leaves something out, and is trained once."""

    def __init__(
        self,
        sets: Sequence[PageSet],
        said: Witnesses,
        cache: Path,
        course: TrainingCourse | None = None,
    ) -> None:
        self._sets = sets
        self._said = said
        self._directory = cache / "models"
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lessons: Lessons | None = None
        self._course = course or TrainingCourse()
        names = [one.file.name for one in sets]
        self._state = hash_of(
            names, sorted(said.items()), hash_of_code(*READER, *LEARNER, *TRUTH), self._course
        )

    def model_without(self, held: HeldBack) -> Path:
        """Return the file of the model that never saw this; train it if there is none."""
        # What is known without reading the lessons: that nothing at all has changed.
        known = self._directory / f"{hash_of(self._state, held.hash)}.txt"
        if known.is_file() and (path := self._directory / known.read_text()).is_file():
            return path
        lessons = self._read()
        code = hash_of_code(*LEARNER)
        path = (
            self._directory
            / f"{hash_of(_hash_lessons(lessons), code, self._course, held.hash)}.npz"
        )
        if not path.is_file():
            rest = lessons.without(held.sites, held.sources)
            teach(rest, self._course, _tell, name=f"training without {held.name}").save(path)
        known.write_text(path.name)
        return path

    def _read(self) -> Lessons:
        if self._lessons is None:
            print("Reading the lessons ...", file=sys.stderr, flush=True)
            pages = (page for one in self._sets for page in one.pages())
            self._lessons = Lessons(*make_all(pages, self._said))
        return self._lessons


def models_by_source(
    room: Classroom, train: Sequence[PageSet], test: Sequence[PageSet], groups: int | None
) -> dict[str, Path]:
    """Return the model that tests each set, by its name.

    Sets that train are held back one by one, or in so many groups. Of sets that only test, together
    the sites are.
    """
    by_name = {one.name: one for one in train}
    sizes = [SimpleNamespace(source=name) for name, one in by_name.items() for _ in one.sites()]
    models = {}
    for group in groups_of_sources(sizes, groups):
        sites = frozenset(site for name in group for site in by_name[name].sites())
        held = HeldBack(frozenset(group), sites, ", ".join(group))
        models |= dict.fromkeys(group, room.model_without(held))
    if test:
        sites = frozenset(site for one in test for site in one.sites())
        held = HeldBack(sites=sites, name="the sites of sets that only test")
        models |= dict.fromkeys((one.name for one in test), room.model_without(held))
    return models


def models_by_site(room: Classroom, known: PageSet, folds: int) -> dict[str, Path]:
    """Return the model that tests each site of a set that trains, with its other sites known."""
    pages = [SimpleNamespace(site=site) for site in known.sites()]
    models = {}
    for number, (_, test) in enumerate(folds_by_site(pages, folds), 1):
        sites = frozenset(page.site for page in test)
        held = HeldBack(sites=sites, name=f"part {number} of {known.name}")
        models |= dict.fromkeys(sites, room.model_without(held))
    return models


def _hash_lessons(lessons: Lessons) -> str:
    return hash_of(*_parts_of(lessons.examples), *_parts_of(lessons.unlabelled))


def _parts_of(record: Any) -> Iterator[object]:
    """Yield what a record consists of, in depth; arrays as bytes."""
    if is_dataclass(record):
        for field in fields(record):
            yield from _parts_of(getattr(record, field.name))
    elif isinstance(record, np.ndarray):
        yield record.tobytes()
    elif isinstance(record, list) and record and is_dataclass(record[0]):
        for one in record:
            yield from _parts_of(one)
    else:
        yield record


def _tell(step: str, done: int, total: int) -> None:
    print(f"{step}: {done} of {total}", file=sys.stderr, flush=True)
