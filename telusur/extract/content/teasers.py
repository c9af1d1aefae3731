"""Lists of other articles that were chosen with the text of an article: an article has one core."""

from collections import Counter

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.content.nesting import are_within, elements_around
from telusur.extract.page.layout import Layout

# Chosen on sets that no model was trained on.
_LEAST_ITEMS = 4
_LEAST_REST = 40  # words
_LESS_LIKELY = 0.05
_LINKED = 0.8
# Words: some sites link the whole text of a teaser.
_HEADLINE = (2, 100)
_LEVELS = 4
# A line that is a link and perhaps no content, and how many of them a text may have at most.
_LEAST_WORDS = 3
_DOUBTFUL = 0.8
_MOST_LINKS = 0.2


def drop_pointers(chosen: Ints, likely: Floats, words: Floats, layout: Layout) -> Ints:
    """Return the chosen lines of an article without doubtful ones that are links as a whole.

    They point to other stories. They stay if they are much of the text: then it is a list of links.
    """
    lengths = np.array([len(layout.texts[line]) for line in chosen.tolist()])
    is_pointer = (layout.linked[chosen] >= _LINKED * lengths) & (words[chosen] >= _LEAST_WORDS)
    is_pointer &= likely[chosen] < _DOUBTFUL
    if words[chosen[is_pointer]].sum() > _MOST_LINKS * words[chosen].sum():
        return chosen
    return chosen[~is_pointer]


def drop_teasers(chosen: Ints, likely: Floats, words: Floats, layout: Layout) -> Ints:
    """Return the chosen lines without lists of teasers.

    A teaser is an element with a linked headline, chosen or not, that has siblings of the same tag
    and names with one. They stay if nothing much else was chosen, or nothing likelier: then the
    list is the text.
    """
    headlines = _linked_headlines(words, layout)
    if len(headlines) < _LEAST_ITEMS or not len(chosen):
        return chosen
    items = _find_items(headlines, chosen, layout)
    if not items:
        return chosen
    is_teaser = are_within(chosen, items, layout)
    rest, dropped = chosen[~is_teaser], chosen[is_teaser]
    if not len(dropped) or words[rest].sum() < _LEAST_REST:
        return chosen
    is_doubtful = _mean(likely, words, dropped) + _LESS_LIKELY <= _mean(likely, words, rest)
    return rest if is_doubtful else chosen


def _linked_headlines(words: Floats, layout: Layout) -> Ints:
    least, most = _HEADLINE
    lengths = np.fromiter(map(len, layout.texts), np.int64, len(layout.texts))
    is_headline = (words >= least) & (words <= most) & (layout.linked >= _LINKED * lengths)
    return is_headline.nonzero()[0]


def _find_items(headlines: Ints, chosen: Ints, layout: Layout) -> set[int]:
    """Return the elements around chosen lines and headlines that have enough siblings of their kind
    with a headline."""
    parents, names = layout.parents.astype(np.int64), layout.names_of
    element = layout.containers[headlines].astype(np.int64)
    has_headline = np.zeros(len(parents), bool)
    for _ in range(_LEVELS):
        element = element[parents[element] >= 0]
        has_headline[element] = True
        element = parents[element]
    elements = has_headline.nonzero()[0]
    kinds = (parents[elements] * len(layout.names) + names[elements]).tolist()
    around = elements_around(layout.containers[chosen].tolist(), layout.parents.tolist())
    is_of_text = np.zeros(len(parents), bool)
    is_of_text[list(around)] = True
    own = is_of_text[elements]
    counts = Counter(kinds)
    return {
        element
        for element, kind, is_own in zip(elements.tolist(), kinds, own.tolist(), strict=True)
        if is_own and counts[kind] >= _LEAST_ITEMS
    }


def _mean(likely: Floats, words: Floats, lines: Ints) -> float:
    """Return how likely these lines are, word by word."""
    return float((likely[lines] * words[lines]).sum() / words[lines].sum())
