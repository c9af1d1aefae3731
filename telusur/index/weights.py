"""Every number that decides the order of hits. Measured as a set (docs/search.md)."""

# How often the terms of a place count, before the score levels off. Don't tune one alone.
TITLE_WEIGHT = 3
HEADING_WEIGHTS = {1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
"""On top of the once that a heading counts as part of the text."""
URL_WEIGHT = 2
DESCRIPTION_WEIGHT = 1
BODY_WEIGHT = 1
MOST_ANCHOR_WEIGHT = 4
"""A link text counts once for the first page that says it, and once more for each doubling."""
