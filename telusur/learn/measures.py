"""How good an extractor is: its text and facts compared with what a person would copy.

Conventions, so that figures of different programs can be compared:

- Words are runs of `\\w` in lower case. Precision and recall count them with repetition.
- A run is four words in a row; a text of one to three words is one shorter run.
- Where nothing was extracted, recall and F1 are 0 and there is no precision: such a page is left
  out of the mean of precisions, as public benchmarks of article bodies do.
- Pages whose true text is unknown (null) or has no word are counted apart (`without_text`): they
  are in no mean of words, runs or snippets, but their title, author and date count. Snippets of a
  set without texts count.
- A fact counts where the truth has one; an answer where the truth has none is not judged.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, TypeVar

from telusur.learn.pages.dataset import LabelledPage

RUN_LENGTH = 4
ALL_TYPES = "all"

_Item = TypeVar("_Item", bound=Hashable)
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")
_AUTHORS = re.compile(r"\s*[,;&|/\n]\s*|\s+and\s+")
_BY = re.compile(r"^(?:written |posted )?by\b:?\s*")
_ALIKE = str.maketrans(dict.fromkeys("‘’‚‛`´′", "'") | dict.fromkeys("“”„‟″«»", '"')
                       | dict.fromkeys("‐‑‒–—―−", "-"))  # fmt: skip


@dataclass(slots=True, frozen=True)
class ExtractorAnswer:
    """The output of an extractor for a page."""

    text: str = ""
    title: str | None = None
    author: str | None = None
    date: str | None = None


class Overlap(NamedTuple):
    """Precision and recall: the right share of the output, and the found share of the truth.

    An empty output has no precision.
    """

    precision: float | None
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both; 0 if nothing is right."""
        if not self.precision:
            return 0.0
        return 2 * self.precision * self.recall / (self.precision + self.recall)


@dataclass(slots=True, frozen=True)
class PageScore:
    """The scores of one page; None where the truth is unknown."""

    page_type: str
    words: Overlap | None
    runs: Overlap | None
    # How many wanted snippets are in the text, and of how many.
    wanted: tuple[int, int]
    # How many unwanted snippets are not in the text, and of how many.
    unwanted: tuple[int, int]
    title: bool | None
    author: bool | None
    date: bool | None


@dataclass(slots=True, frozen=True)
class Figures:
    """Means over pages, each between 0 and 1; None if no page counts."""

    pages: int
    without_text: int
    words: Overlap | None
    # The mean of the pages' own F1: "bag of words".
    words_f1: float | None
    # Means over pages; its `f1` is the F1 of the means.
    runs: Overlap | None
    # The mean of the pages' own F1.
    runs_f1: float | None
    # The share of wanted snippets that are there.
    wanted: float | None
    # The share of unwanted snippets that are not there.
    unwanted: float | None
    title: float | None
    author: float | None
    date: float | None


def score_page(truth: LabelledPage, answer: ExtractorAnswer) -> PageScore:
    """Return the scores of one page; its `html` is not used."""
    right, said = words_of(truth.text or ""), words_of(answer.text)
    judged = bool(right)
    has_snippets = judged or "text" not in truth.known
    seen = normalize(answer.text) if has_snippets else ""
    return PageScore(
        page_type=truth.page_type,
        words=compare_counts(Counter(right), Counter(said)) if judged else None,
        runs=compare_counts(Counter(runs_of(right)), Counter(runs_of(said))) if judged else None,
        wanted=_count(truth.wanted, lambda one: one in seen) if has_snippets else (0, 0),
        unwanted=_count(truth.unwanted, lambda one: one not in seen) if has_snippets else (0, 0),
        title=_same(truth.title, answer.title, normalize_fact),
        author=_same(truth.author, answer.author, names_of),
        date=_same_date(truth.date, answer.date),
    )


def summarize(scores: Sequence[PageScore]) -> Figures:
    """Return the scores of many pages of any type."""
    words = [score.words for score in scores if score.words is not None]
    runs = [score.runs for score in scores if score.runs is not None]
    return Figures(
        pages=len(scores),
        without_text=len(scores) - len(words),
        words=mean_overlap(words),
        words_f1=_mean(one.f1 for one in words),
        runs=mean_overlap(runs),
        runs_f1=_mean(one.f1 for one in runs),
        wanted=_rate(score.wanted for score in scores),
        unwanted=_rate(score.unwanted for score in scores),
        title=_mean(score.title for score in scores),
        author=_mean(score.author for score in scores),
        date=_mean(score.date for score in scores),
    )


def summarize_by_type(scores: Sequence[PageScore]) -> dict[str, Figures]:
    """Return the scores of all pages, then of each page type, the most frequent first."""
    types = Counter(score.page_type for score in scores)
    return {ALL_TYPES: summarize(scores)} | {
        name: summarize([score for score in scores if score.page_type == name])
        for name, _ in types.most_common()
    }


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def runs_of(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield all runs of four words; of a shorter text the one run it has."""
    if 0 < len(words) < RUN_LENGTH:
        yield tuple(words)
    yield from zip(*(words[start:] for start in range(RUN_LENGTH)), strict=False)


def compare_counts(right: Counter[_Item], said: Counter[_Item]) -> Overlap:
    """Return precision and recall of one collection against another, with repetition."""
    common, all_said = (right & said).total(), said.total()
    return Overlap(common / all_said if all_said else None, common / max(1, right.total()))


def normalize(text: str) -> str:
    """Return a text with compatible forms, case, spaces and quotes normalised."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE)
    return _SPACE.sub(" ", text).strip()


def normalize_fact(text: str) -> str:
    """Return a title or name as `normalize` does, without punctuation around it."""
    text = normalize(text)
    inside = [place for place, sign in enumerate(text) if sign.isalnum()]
    return text[inside[0] : inside[-1] + 1] if inside else text


def names_of(author: str) -> frozenset[str]:
    """Return the names in a byline, regardless of order and separators."""
    line = _BY.sub("", normalize(author))
    return frozenset(name for part in _AUTHORS.split(line) if (name := normalize_fact(part)))


def _same(true: str | None, said: str | None, form: Callable[[str], object]) -> bool | None:
    return None if not true else form(true) == form(said or "")


def _same_date(true: str | None, said: str | None) -> bool | None:
    """Compare as far as the truth goes: a month when it names no day."""
    return None if not true else (said or "").strip()[: min(10, len(true))] == true[:10]


def _count(snippets: Iterable[str], is_right: Callable[[str], bool]) -> tuple[int, int]:
    verdicts = [is_right(one) for snippet in snippets if (one := normalize(snippet))]
    return sum(verdicts), len(verdicts)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def mean_overlap(values: Sequence[Overlap]) -> Overlap | None:
    """Return the means of precision and recall; None of nothing."""
    if not values:
        return None
    return Overlap(_mean(one.precision for one in values), fmean(one.recall for one in values))


def _rate(counts: Iterable[tuple[int, int]]) -> float | None:
    pairs = list(counts)
    total = sum(number for _, number in pairs)
    return sum(hits for hits, _ in pairs) / total if total else None
