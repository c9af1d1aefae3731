"""How well a crawl spends its requests: harvest rate and recall over the pages it fetched."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

POINTS = 200
"""A curve has at most so many points."""
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)
"""At these shares of the budget a table tells recall."""


@dataclass(slots=True, frozen=True)
class Fetched:
    """A page as a crawl fetched it."""

    url: str
    language: str
    is_relevant: bool


@dataclass(slots=True, frozen=True)
class Course:
    """How one strategy fared on one topic."""

    strategy: str
    topic: str
    pages: int
    relevant: int
    known: int
    """Relevant pages that there are, as far as anybody knows: what recall is measured against."""
    curve: tuple[tuple[int, int], ...]
    """Pages fetched, and how many of them were relevant."""
    recall_at: tuple[tuple[float, float], ...]
    """Shares of the budget, and the recall there."""
    languages: tuple[tuple[str, int], ...]
    """Pages a language, the most frequent first."""

    @property
    def harvest(self) -> float:
        """Return the share of the pages that were relevant."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def recall(self) -> float:
        """Return the share of the relevant pages that were fetched."""
        return self.relevant / self.known if self.known else 0.0


def follow(
    strategy: str, topic: str, fetched: Sequence[Fetched], relevant: Collection[str], budget: int
) -> Course:
    """Return the course of a crawl; `relevant` are all relevant pages that are known of."""
    found = 0
    counts = [0]
    for page in fetched:
        found += page.is_relevant
        counts.append(found)
    known = len(relevant)
    at = {share: counts[min(len(fetched), round(share * budget))] for share in SHARES}
    return Course(
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
    """Return numbers from 0 to the last, evenly spread."""
    steps = min(POINTS, last)
    return [round(step * last / steps) for step in range(steps + 1)] if steps else [0]


def add_up(courses: Sequence[Course]) -> Course:
    """Return the crawls of several topics as one: at each share of their way, all together."""
    numbers = range(POINTS + 1)
    reached = [[_at(course, number / POINTS) for number in numbers] for course in courses]
    known = sum(course.known for course in courses)
    shares = [sum(_at(course, share)[1] for course in courses) for share in SHARES]
    languages: Counter[str] = Counter()
    for course in courses:
        languages.update(dict(course.languages))
    return Course(
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


def _at(course: Course, share: float) -> tuple[int, int]:
    """Return how far a crawl was at a share of its way."""
    return course.curve[round(share * (len(course.curve) - 1))]


def mean(numbers: Sequence[float]) -> float:
    """Return the mean; of nothing, 0."""
    return sum(numbers) / len(numbers) if numbers else 0.0
