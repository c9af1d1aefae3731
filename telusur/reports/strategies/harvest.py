"""Measures crawls: harvest rate and recall over the fetched pages."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

# The largest number of points of a curve.
POINTS = 200
# The shares of the budget at which tables show recall.
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)


@dataclass(slots=True, frozen=True)
class Fetched:
    """A page fetched by a crawl."""

    url: str
    language: str
    is_relevant: bool


@dataclass(slots=True, frozen=True)
class HarvestCourse:
    """The result of one strategy on one topic."""

    strategy: str
    topic: str
    pages: int
    relevant: int
    # All known relevant pages: the base of recall.
    known: int
    # Pages fetched, and the relevant ones among them.
    curve: tuple[tuple[int, int], ...]
    # Shares of the budget, and the recall at each.
    recall_at: tuple[tuple[float, float], ...]
    # Pages by language, most frequent first.
    languages: tuple[tuple[str, int], ...]

    @property
    def harvest(self) -> float:
        """Return the share of fetched pages that are relevant."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def recall(self) -> float:
        """Return the share of relevant pages that were fetched."""
        return self.relevant / self.known if self.known else 0.0


def follow(
    strategy: str, topic: str, fetched: Sequence[Fetched], relevant: Collection[str], budget: int
) -> HarvestCourse:
    """Return the result of a crawl; `relevant` are all known relevant pages."""
    found = 0
    counts = [0]
    for page in fetched:
        found += page.is_relevant
        counts.append(found)
    known = len(relevant)
    at = {share: counts[min(len(fetched), round(share * budget))] for share in SHARES}
    return HarvestCourse(
        strategy=strategy,
        topic=topic,
        pages=len(fetched),
        relevant=found,
        known=known,
        curve=tuple((number, counts[number]) for number in _spread(len(fetched))),
        recall_at=tuple((share, count / known if known else 0.0) for share, count in at.items()),
        languages=tuple(Counter(page.language for page in fetched).most_common()),
    )


def _spread(last: int) -> list[int]:
    """Return evenly spaced numbers from 0 to the last."""
    steps = min(POINTS, last)
    return [round(step * last / steps) for step in range(steps + 1)] if steps else [0]


def add_up(courses: Sequence[HarvestCourse]) -> HarvestCourse:
    """Return the results of several topics as one, added up at each share of the budget."""
    numbers = range(POINTS + 1)
    reached = [[_at(course, number / POINTS) for number in numbers] for course in courses]
    known = sum(course.known for course in courses)
    shares = [sum(_at(course, share)[1] for course in courses) for share in SHARES]
    languages: Counter[str] = Counter()
    for course in courses:
        languages.update(dict(course.languages))
    return HarvestCourse(
        strategy=courses[0].strategy,
        topic=", ".join(course.topic for course in courses),
        pages=sum(course.pages for course in courses),
        relevant=sum(course.relevant for course in courses),
        known=known,
        curve=tuple(
            (sum(p for p, _ in at), sum(r for _, r in at)) for at in zip(*reached, strict=True)
        ),
        recall_at=tuple(
            (s, n / known if known else 0.0) for s, n in zip(SHARES, shares, strict=True)
        ),
        languages=tuple(languages.most_common()),
    )


def _at(course: HarvestCourse, share: float) -> tuple[int, int]:
    """Return the pages and relevant pages of a crawl at a share of its budget."""
    return course.curve[round(share * (len(course.curve) - 1))]


def mean(numbers: Sequence[float]) -> float:
    """Return the mean; 0 without numbers."""
    return sum(numbers) / len(numbers) if numbers else 0.0
