"""From the truth about a page to the true labels of its blocks."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from telusur.extract.facts.dates import parse_date
from telusur.learn.pages.dataset import LabelledPage
from telusur.models import Block

_WORDS = re.compile(r"\w+")
_RUN = 3  # words in a row that must be in the truth for each of them to count
_NEIGHBOURS = 12
_LONG = 8  # blocks of this many words show where the content is on the page
_LONGEST_BYLINE = 120


@dataclass(slots=True, frozen=True)
class BlockTruth:
    """For each block the share of its words that are content, and its label."""

    shares: list[float]
    labels: list[str]


def gold_labels(blocks: Sequence[Block], page: LabelledPage) -> list[str]:
    """Return the label of each block of a page: content, title, author, date or other."""
    return block_truth(blocks, page).labels


def block_truth(blocks: Sequence[Block], page: LabelledPage) -> BlockTruth:
    """Compare the blocks of a page with its truth.

    1. A word is content when it is in a run of three words of the true text; short blocks must be a
    line of it, or continue the content before or after them. 2. Of texts that the page has more
    often than the truth, those nearest to other content count. 3. Title, author and date are blocks
    with exactly that text. If a person labelled the blocks, those labels are the truth.
    """
    if page.labels:
        shares = [float(label == "content") for label in page.labels]
        return BlockTruth(shares, list(page.labels))
    words = [_WORDS.findall(block.text.lower()) for block in blocks]
    truth = _Truth(page.text or "")
    shares = [truth.share_of(each) for each in words]  # 1
    _join_short_blocks(words, shares, truth)
    _drop_repetitions(words, shares, truth)  # 2
    labels = ["content" if share >= 0.5 else "other" for share in shares]
    _label_facts(blocks, words, labels, page)  # 3
    return BlockTruth(shares, labels)


class _Truth:
    """The true text of a page, prepared for looking up words."""

    def __init__(self, text: str) -> None:
        words = _WORDS.findall(text.lower())
        self.runs = set(zip(words, words[1:], words[2:], strict=False))
        self.lines = {tuple(_WORDS.findall(line)) for line in text.lower().split("\n")}
        self.joined = f" {' '.join(words)} "

    def share_of(self, words: list[str]) -> float:
        """Return the share of these words that are in a run of the truth."""
        if len(words) < _RUN:
            return float(bool(words) and tuple(words) in self.lines)
        covered = bytearray(len(words))
        for start, run in enumerate(zip(words, words[1:], words[2:], strict=False)):
            if run in self.runs:
                covered[start : start + _RUN] = b"\1\1\1"
        return sum(covered) / len(words)

    def count(self, words: tuple[str, ...]) -> int:
        """Return how often the truth has these words in this order."""
        return self.joined.count(f" {' '.join(words)} ")


def _join_short_blocks(words: list[list[str]], shares: list[float], truth: _Truth) -> None:
    """Keep blocks of one or two words that continue the content before or after them."""
    for index, own in enumerate(words):
        if not own or len(own) >= _RUN or shares[index]:
            continue
        before = words[index - 1][-2:] if index and shares[index - 1] >= 0.5 else []
        after = words[index + 1][:2] if index + 1 < len(words) and shares[index + 1] >= 0.5 else []
        run = [*before, *own]
        if (before and tuple(run[-_RUN:]) in truth.runs) or (
            after and tuple([*own, *after][:_RUN]) in truth.runs
        ):
            shares[index] = 1.0


def _drop_repetitions(words: list[list[str]], shares: list[float], truth: _Truth) -> None:
    """Keep as many equal blocks as the truth has: those with the most content around them."""
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, own in enumerate(words):
        if shares[index] >= 0.5:
            places[tuple(own)].append(index)
    density = _density(words, shares)
    for text, found in places.items():
        if len(found) < 2:
            continue
        most = max(1, truth.count(text))
        found.sort(key=lambda index: -density[index])
        for index in found[most:]:
            shares[index] = 0.0


def _density(words: list[list[str]], shares: list[float]) -> list[float]:
    """Return for each block the words of long content blocks around it, without itself."""
    mass = [
        share * len(own) if len(own) >= _LONG else 0.0
        for own, share in zip(words, shares, strict=True)
    ]
    sums = [0.0]
    for each in mass:
        sums.append(sums[-1] + each)
    return [
        sums[min(len(mass), index + _NEIGHBOURS + 1)]
        - sums[max(0, index - _NEIGHBOURS)]
        - mass[index]
        for index in range(len(mass))
    ]


def _label_facts(
    blocks: Sequence[Block], words: list[list[str]], labels: list[str], page: LabelledPage
) -> None:
    title = _WORDS.findall(page.title.lower())
    titles = [index for index, own in enumerate(words) if own and own == title]
    headings = [index for index in titles if re.search(r"/h[1-6]$", blocks[index].tag_path)]
    if titles:
        labels[(headings or titles)[0]] = "title"
    names = [_WORDS.findall(name) for name in (page.author or "").lower().split(",")]
    names = [name for name in names if name]
    for index, own in enumerate(words):
        if labels[index] == "title" or len(blocks[index].text) > _LONGEST_BYLINE:
            continue
        if _names_author(own, names):
            labels[index] = "author"
        elif page.date and len(own) <= 12 and parse_date(blocks[index].text) == page.date:
            labels[index] = "date"


def _names_author(words: list[str], names: list[list[str]]) -> bool:
    """Tell whether a block is a byline: a name of the author, and few other words."""
    if not names or len(words) > 12 + 3 * len(names):
        return False
    joined = f" {' '.join(words)} "
    named = sum(len(name) for name in names if f" {' '.join(name)} " in joined)
    return named > 0 and len(words) - named <= 8
