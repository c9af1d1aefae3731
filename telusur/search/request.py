"""What a search asks for besides the words: which page, how many of a site, what to count."""

from dataclasses import dataclass

from telusur.errors import UsageError

MODELS = ("bm25f", "tfidf")
GROUPS = ("", "site", "topic")
FACETS = ("site", "language", "type", "topic", "year", "month")
PER_SITE = 3
MOST_HITS = 1_000


@dataclass(slots=True, frozen=True)
class SearchRequest:
    """One page of hits somebody asks for."""

    query: str
    page: int = 1
    limit: int = 10
    per_site: int = PER_SITE
    """So many of a site come first; 0: no difference is made."""
    group: str = ""
    """"site": what a site has beyond `per_site` is left out, instead of standing further down.
    "topic": the best hits come in groups about the same as well."""
    facets: tuple[str, ...] = ()
    """What to count: names of `FACETS`."""
    explain: bool = False
    """Each hit tells how its score came about."""
    as_of: float | None = None
    """Leave out what was fetched after this time, so that further pages fit to the first."""
    model: str = "bm25f"
    """How words are scored: a name of `MODELS`."""
    semantic: bool | str | None = None
    """Search by meaning too: True, or the name of a model; None: as the collection is set."""
    read_seconds: float | None = None
    """By meaning: read new documents for about so long before answering; None: all of them."""

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
