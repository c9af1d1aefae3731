"""All that speaks of a page's author and day, gathered once for those who look for them."""

import re
from dataclasses import dataclass, field

from telusur.extract.dom import TagIndex
from telusur.extract.json_ld import StructuredData, is_article, is_forum
from telusur.extract.nearby import Nearby
from telusur.extract.statements import Statements
from telusur.extract.titles import Title

_WARES_AND_LISTS = frozenset((
    "product", "productgroup", "collectionpage", "itempage", "itemlist", "searchresultspage",
    "product.item", "product.group",
))  # fmt: skip
_FORUM_URL = re.compile(
    r"forum|communit|discuss|/questions/|/threads?/|/topics?/|/t/|/d/|showthread|viewtopic|board|/r/"
)


@dataclass(slots=True)
class Signals:
    """What a page states and shows; `tags` is None where its body must not be searched."""

    meta: Statements
    data: StructuredData
    title: Title
    nearby: Nearby = field(default_factory=Nearby)
    url: str = ""
    language: str = ""
    tags: TagIndex | None = None

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
        """Tell whether the page says nothing of what it is."""
        return not self.data.types

    @property
    def has_wares(self) -> bool:
        """Tell whether the page says that it offers things or lists them."""
        return any(kind in _WARES_AND_LISTS for kind in self.data.types)
