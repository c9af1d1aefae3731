"""A page to learn from: its features, and the truth about its lines."""

from dataclasses import dataclass

from telusur.arrays import Floats
from telusur.extract.content.features import Features
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.layout import Layout


@dataclass(slots=True, frozen=True)
class Example:
    """The features of a page, and the truth about its lines."""

    id: str
    site: str
    features: Features
    # For each line, the share of its words that are content.
    shares: Floats
    # For each line, whether it is title, author, date.
    facts: Floats
    page_type: str
    # For each line, whether its share is known (1 or 0).
    known: Floats
    # Whether title, author and date of the page are known (1 or 0).
    known_facts: Floats
    # The set that the page is from.
    source: str = ""
    # How much the page counts.
    loudness: float = 1.0
    # The lines and metadata that its features were measured from, for variants of the page.
    material: tuple[Layout, Metadata] | None = None
