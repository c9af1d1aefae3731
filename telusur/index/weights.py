"""Every number that decides the order of hits. Measured as a set: see docs/search.md."""

import math

# How often the terms of a place count, before the score levels off. Don't tune one alone.
TITLE_WEIGHT = 3
HEADING_WEIGHTS = {1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
"""On top of the once that a heading counts as part of the text."""
URL_WEIGHT = 2
DESCRIPTION_WEIGHT = 1
BODY_WEIGHT = 1
MOST_ANCHOR_WEIGHT = 4
"""A link text counts once for the first page that says it, and once more for each doubling."""

REPETITION = 8.0
"""A word typed n times weighs (this + 1) n / (this + n): each time adds less than the last."""

# What words of the query that stand near each other add, as a part of what they add as a phrase.
NEAR_WEIGHT = 0.1
NEAR_SLOP = 8
"""Words that may stand between two that are near each other."""
AS_TYPED_WEIGHT = 0.1
"""What a word adds that stands in the text as it was typed, as a part of its score there."""
AS_PHRASE_WEIGHT = 0.2
"""The same for all words of a short query side by side."""
IN_URL_WEIGHT = 0.4
"""What a word in the URL adds, as a part of its score among the words of URLs alone."""

# The static rank multiplies a score by 1 and the sum of these, each times a number from 0 to 1.
RANK_WEIGHT = 0.05
LINKS_WEIGHT = 0.15
DEPTH_WEIGHT = 0.02
FRESHNESS_WEIGHT = 0.03
RANK_HALF = 2.0
"""A page with so many times the average rank gets half of the weight."""
LINKS_HALF = 10.0
"""A page that so many pages link to gets half of the weight."""
FRESHNESS_HALF_DAYS = 365.0
"""A page so much older than the newest of the collection gets half of the weight."""


def repeated(count: float) -> float:
    """Return what a word weighs that was typed `count` times."""
    return (REPETITION + 1.0) * count / (REPETITION + count) if count > 1.0 else count


def inverse_frequency(documents: int, of: int) -> float:
    """Return how much a term counts that so many documents have: the IDF of BM25."""
    return math.log(1.0 + (of - documents + 0.5) / (documents + 0.5)) if of else 0.0
