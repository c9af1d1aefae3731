"""All evidence about author and date of a page, collected once."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from telusur.extract.facts.json_ld import StructuredData, is_article, is_forum
from telusur.extract.facts.nearby import Nearby
from telusur.extract.facts.statements import Statements
from telusur.extract.facts.titles import Title
from telusur.extract.page.dom import TagIndex

if TYPE_CHECKING:
    from telusur.extract.facts.stated_people import StatedNames

_WARES_AND_LISTS = frozenset((
    "product", "productgroup", "collectionpage", "itempage", "itemlist", "searchresultspage",
    "product.item", "product.group",
))  # fmt: skip
_FORUM_URL = re.compile(
    r"forum|communit|discuss|/questions/|/threads?/|/topics?/|/t/|/d/|showthread|viewtopic|board|/r/"
)


@dataclass(slots=True)
class Signals:
    """The metadata and nearby texts of a page; `tags` is None if its body must not be searched."""

    meta: Statements
    data: StructuredData
    title: Title
    nearby: Nearby = field(default_factory=Nearby)
    url: str = ""
    language: str = ""
    tags: TagIndex | None = None
    # The authors that the data name, once somebody asked for them: see `find_stated`.
    stated: "StatedNames | None" = None

    @property
    def is_article(self) -> bool:
        """Tell whether the page says, if only by og:type, that it is an article or a post."""
        return is_article(self.data.types)

    @property
    def is_thread(self) -> bool:
        """Tell whether the page seems to be a thread of a forum."""
        return is_forum(self.data.types) or _FORUM_URL.search(self.url[:500]) is not None

    @property
    def is_untold(self) -> bool:
        """Tell whether the page does not declare its type."""
        return not self.data.types

    @property
    def has_wares(self) -> bool:
        """Tell whether the page declares products or lists, and no article."""
        return not self.data.is_article and any(
            kind in _WARES_AND_LISTS for kind in self.data.types
        )
