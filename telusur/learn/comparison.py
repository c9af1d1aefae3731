"""Cross-validation of engines, and the tables of the source system reproduced."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from telusur.errors import UsageError
from telusur.learn.engines import ENGINES, get_engine
from telusur.learn.folds import folds_by_page, folds_by_site
from telusur.learn.pages.source_pages import SourcePage
from telusur.learn.scores import Scores

# Called with the current step, the number of finished folds, and the number of folds.
Watch = Callable[[str, int, int], None]

_FOLDS = {"site": folds_by_site, "page": folds_by_page}


@dataclass(slots=True, frozen=True)
class SourceTables:
    """The scores of each engine on new sites, and on sites it was trained on."""

    new_sites: dict[str, Scores]
    known_sites: dict[str, Scores]


def cross_validate(
    name: str,
    pages: Sequence[SourcePage],
    *,
    by: str = "site",
    folds: int = 4,
    watch: Watch | None = None,
) -> Scores:
    """Return how well an engine labels pages it was not trained on, over all folds.

    By site, it has seen no page of the site before. By page, it has seen other pages of the site.
    """
    engine = get_engine(name)
    if by not in _FOLDS:
        raise UsageError(f"by: {by!r} is neither site nor page.")
    if engine.needs_site and by == "site":
        raise UsageError(f"{name} learns from other pages of the same site: use --by page.")
    scores = Scores(engine.labels)
    parts = _FOLDS[by](pages, folds)
    for number, (known, unknown) in enumerate(parts):
        if watch is not None:
            watch(f"{name}, by {by}", number, len(parts))
        model = engine.make()
        model.fit(known)
        for page in unknown:
            scores.add(page.truth, model.label(page), page.words)
    return scores


def table_of_the_source(
    pages: Sequence[SourcePage],
    *,
    folds: int = 4,
    engines: Sequence[str] | None = None,
    watch: Watch | None = None,
) -> SourceTables:
    """Return the scores of engines, by default all, on new sites and on known ones."""
    tables = SourceTables({}, {})
    for name in engines or ENGINES:
        if not get_engine(name).needs_site:
            tables.new_sites[name] = cross_validate(name, pages, folds=folds, watch=watch)
        tables.known_sites[name] = cross_validate(name, pages, by="page", folds=folds, watch=watch)
    return tables
