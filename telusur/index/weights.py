"""Every number that decides the order of hits; the weights of fields are in `models.Document`.

Measured as a set: see docs/search.md.
"""

import math
from collections.abc import Sequence

from telusur.document_table import DOCUMENT_FIELDS

# How often the terms of a place count, before the score saturates. Don't tune one alone. The
# weights of a document's own fields are in their table, `models.Document`.
PLACE_WEIGHTS = {field.place: field.weight for field in DOCUMENT_FIELDS if field.place}
# In addition to counting once as part of the text.
HEADING_WEIGHTS = {1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
# A link text counts once for the first page that uses it, and once more for each doubling.
MOST_ANCHOR_WEIGHT = 4

# BM25: how soon further occurrences of a word stop counting, and how much long texts lose. tantivy
# has the same numbers built in.
SATURATION = 1.2
LENGTH_SHARE = 0.75

# How many words a prefix stands for: the most frequent ones.
MOST_WORDS_OF_PREFIX = 50
# The score of a word that is nearly the one typed; one as typed gets about 2 to 8.
FUZZY_SCORE = 1.0

# A word typed n times weighs (this + 1) n / (this + n): each time adds less than the last.
REPETITION = 8.0

# The bonus for words of the query near each other, as a share of their score as a phrase.
NEAR_WEIGHT = 0.1
# How many words may be between two words that are near each other.
NEAR_SLOP = 8
# The bonus for a word exactly as typed, as a share of its score.
AS_TYPED_WEIGHT = 0.1
# The same for all words of a short query side by side.
AS_PHRASE_WEIGHT = 0.2
# The bonus for a word in the URL, as a share of its score among the words of URLs.
IN_URL_WEIGHT = 0.4

# The static rank multiplies a score by 1 plus the sum of these, each times a number from 0 to 1.
RANK_WEIGHT = 0.05
LINKS_WEIGHT = 0.15
DEPTH_WEIGHT = 0.02
FRESHNESS_WEIGHT = 0.03
# A page with this many times the average rank gets half of the weight.
RANK_HALF = 2.0
# A page with links from this many pages gets half of the weight.
LINKS_HALF = 10.0
# A page this much older than the newest of the collection gets half of the weight.
FRESHNESS_HALF_DAYS = 365.0


def repeated(count: float) -> float:
    """Return the weight of a word that was typed `count` times."""
    return (REPETITION + 1.0) * count / (REPETITION + count) if count > 1.0 else count


def inverse_frequency(documents: int, of: int) -> float:
    """Return the IDF of BM25 for a term in `documents` documents."""
    return math.log(1.0 + (of - documents + 0.5) / (documents + 0.5)) if of else 0.0


def even_factors(frequencies: Sequence[int], of: int) -> list[float]:
    """Return factors that make every variant of a word count as rare as the most frequent one.

    Otherwise the stem that a second language makes of a word, which only a few stray pages have,
    would count for more than the word itself.
    """
    if not of:
        return [1.0] * len(frequencies)
    rarity = inverse_frequency(max(frequencies), of)
    return [rarity / inverse_frequency(each, of) for each in frequencies]
