"""Lists of other articles that were chosen with the text of an article: an article has one core."""

from collections import defaultdict

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.page.layout import Layout

# Chosen on sets that no model was trained on.
_LEAST_ITEMS = 4
_LEAST_REST = 40  # words
_LESS_LIKELY = 0.05
_LINKED = 0.8
_HEADLINE = (2, 30)  # words
_LEVELS = 4


def drop_teasers(chosen: Ints, likely: Floats, words: Floats, layout: Layout) -> Ints:
    """Return the chosen lines without lists of teasers.

    A teaser is an element with a linked headline that has siblings of the same tag and names with
    one. They stay if nothing much else was chosen, or nothing likelier: then the list is the text.
    """
    headlines = _linked_headlines(chosen, words, layout)
    if len(headlines) < _LEAST_ITEMS:
        return chosen
    teasers = _find_items(headlines, layout)
    if not teasers:
        return chosen
    ends = _ends_of(layout)
    is_rest = np.zeros(len(words), bool)
    is_rest[chosen] = True
    for item in teasers:
        is_rest[layout.starts[item] : ends[item]] = False
    rest, dropped = chosen[is_rest[chosen]], chosen[~is_rest[chosen]]
    if words[rest].sum() < _LEAST_REST:
        return chosen
    is_doubtful = _mean(likely, words, dropped) + _LESS_LIKELY <= _mean(likely, words, rest)
    return rest if is_doubtful else chosen


def _linked_headlines(chosen: Ints, words: Floats, layout: Layout) -> list[int]:
    least, most = _HEADLINE
    fitting = chosen[(words[chosen] >= least) & (words[chosen] <= most)]
    return [
        line for line in fitting.tolist()
        if layout.linked[line] >= _LINKED * len(layout.texts[line])
    ]  # fmt: skip


def _find_items(headlines: list[int], layout: Layout) -> list[int]:
    """Return the elements around headlines that have enough siblings of their kind with one."""
    parents, names = layout.parents, layout.names_of
    kinds: dict[tuple[int, int], set[int]] = defaultdict(set)
    for line in headlines:
        element = int(layout.containers[line])
        for _ in range(_LEVELS):
            parent = int(parents[element])
            if parent < 0:
                break
            kinds[parent, int(names[element])].add(element)
            element = parent
    return [item for items in kinds.values() if len(items) >= _LEAST_ITEMS for item in items]


def _ends_of(layout: Layout) -> list[int]:
    """Return for each container the number of the line after its last one."""
    parents = layout.parents.tolist()
    ends = [0] * len(parents)
    for number, container in enumerate(layout.containers.tolist(), 1):
        ends[container] = number
    for element in range(len(ends) - 1, 0, -1):
        ends[parents[element]] = max(ends[parents[element]], ends[element])
    return ends


def _mean(likely: Floats, words: Floats, lines: Ints) -> float:
    """Return how likely these lines are, word by word."""
    return float((likely[lines] * words[lines]).sum() / words[lines].sum())
