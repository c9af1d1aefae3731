"""A second look at the lines that were chosen as content: a text has no holes.

The network judges each line. A paragraph in the middle of an article, between others in the same
element, is part of it even if the network doubts it.
"""

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.page.layout import Layout

# Elements that hold one paragraph each: their siblings with the same names belong together.
_PARAGRAPHS = frozenset(("p", "li", "blockquote", "td", "dd"))
# Chosen on sets that no model was trained on; every value from 0.05 to 0.25 does the same.
_LEAST = 0.1
_LEAST_SHARE = 0.5
_LONG = 10  # words
_LINKED = 0.4


def fill_holes(chosen: Ints, likely: Floats, words: Floats, layout: Layout) -> Ints:
    """Return the chosen lines and the paragraphs between them, if most of their kind are chosen.

    Kinds are paragraphs of one element with the same tag and names. `likely` are the probabilities
    of being content.
    """
    is_chosen = np.zeros(len(words), bool)
    is_chosen[chosen] = True
    is_long = words >= _LONG
    if not len(chosen) or not (is_long & ~is_chosen & (likely > _LEAST)).any():
        return chosen
    prose = np.flatnonzero(is_long)
    lengths = np.array([len(layout.texts[line]) for line in prose.tolist()])
    prose = prose[layout.linked[prose] < _LINKED * lengths]
    if not len(prose):
        return chosen
    numbers: dict[int, int] = {}
    of_prose = _kinds_of(prose, layout).tolist()
    kinds = np.array([numbers.setdefault(kind, len(numbers)) for kind in of_prose])
    inside = is_chosen[prose]
    all_words = np.bincount(kinds, words[prose])
    share = np.bincount(kinds, words[prose] * inside) / all_words
    # The first and last chosen line of each kind.
    first = np.full(len(share), len(words))
    last = np.full(len(share), -1)
    places = np.flatnonzero(inside)
    np.minimum.at(first, kinds[places], prose[places])
    np.maximum.at(last, kinds[places], prose[places])
    is_between = (prose >= first[kinds] - 1) & (prose <= last[kinds] + 1)
    is_chosen[prose[(share[kinds] >= _LEAST_SHARE) & is_between & (likely[prose] > _LEAST)]] = True
    return np.flatnonzero(is_chosen)


def _kinds_of(lines: Ints, layout: Layout) -> Ints:
    """Return a number for the kind of each of these lines."""
    containers = layout.containers[lines].astype(np.int64)
    names = layout.names_of[containers].astype(np.int64)
    is_paragraph = np.array([layout.names[each][0] in _PARAGRAPHS for each in names.tolist()])
    parents = layout.parents[containers].astype(np.int64) + 1
    of_paragraphs: Ints = parents * len(layout.names) + names
    # Negative numbers are kinds of their own: other elements count one by one.
    return np.where(is_paragraph, of_paragraphs, -1 - containers)
