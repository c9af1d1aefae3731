"""A search request: the query, and options such as page, hits per site and facets."""

from dataclasses import dataclass

from telusur.document_table import FIELD_FACETS
from telusur.errors import UsageError

MODELS = ("bm25f", "tfidf")
GROUPS = ("", "site", "topic")
FACETS = tuple(FIELD_FACETS)
PER_SITE = 3
MOST_HITS = 1_000


@dataclass(slots=True, frozen=True)
class SearchRequest:
    """A request for one page of hits."""

    query: str
    page: int = 1
    limit: int = 10
    # At most this many hits of one site come first; 0 for no limit.
    per_site: int = PER_SITE
    # "site": hits of a site beyond `per_site` are hidden instead of moved further down. "topic":
    # the best hits are also grouped by topic.
    group: str = ""
    # The facets to count: names of `FACETS`.
    facets: tuple[str, ...] = ()
    # Each hit explains how its score was calculated.
    explain: bool = False
    # Ignore pages fetched after this time, so that further pages of hits match the first.
    as_of: float | None = None
    # The scoring model for words: a name of `MODELS`.
    model: str = "bm25f"
    # Include semantic matches: True, or the name of a model; None: as set in the collection.
    semantic: bool | str | None = None
    # For semantic search: how many seconds to spend on encoding new documents; None: encode all.
    read_seconds: float | None = None

    def check(self) -> None:
        """Raise one clear sentence when something cannot be asked for."""
        if self.page < 1 or not 1 <= self.limit <= MOST_HITS:
            raise UsageError(
                f"page {self.page}, limit {self.limit}: both are whole numbers from 1 up, "
                f"and the limit is at most {MOST_HITS:,}."
            )
        if self.per_site < 0:
            raise UsageError(f"per_site {self.per_site}: it is a whole number from 0 up.")
        _check_name("model", self.model, MODELS)
        _check_name("group", self.group, GROUPS)
        for name in self.facets:
            _check_name("facet", name, FACETS)


def _check_name(kind: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise UsageError(f"{kind} {name!r} is not known; try {', '.join(filter(None, known))}.")
