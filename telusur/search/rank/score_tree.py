"""How a score was calculated: every number once, and the leaves add up to the root."""

import re
from collections.abc import Iterator

from telusur.index.contract import Candidate, View
from telusur.index.query import Fuzzy, Match, Prefix, Query, Range, Words
from telusur.index.standing import Standings
from telusur.index.weights import repeated
from telusur.models import Explanation
from telusur.search.rank.static_rank import static_summands

_TERM = re.compile(r'"(?P<term>.*)"$')
_SMALLEST = 1e-9


def explain_score(
    view: View, query: Query, candidate: Candidate, standings: Standings
) -> Explanation:
    """Return what each word, each bonus and the static rank of a page add to its score."""
    static = static_summands(standings, candidate.number)
    by_words = candidate.score / (1.0 + sum(part for _, part in static))
    leaves = [leaf for leaf in _leaves(view, query, candidate) if abs(leaf.value) > _SMALLEST]
    for told, part in static:
        if part > _SMALLEST:
            leaves.append(Explanation(by_words * part, f"{told}: {part:.4f} of the words' score"))
    return Explanation(candidate.score, "score: the sum of", tuple(leaves))


def _leaves(view: View, query: Query, candidate: Candidate) -> Iterator[Explanation]:
    """Yield what the parts of a query add; filters add nothing."""
    for node in (*query.required, *query.wanted, *query.bonus):
        if isinstance(node, (Match, Range)):
            continue
        found = view.explain(Query(wanted=(node,)), candidate)
        if found is None:
            continue
        if isinstance(node, Query):
            yield from _of_nested(view, query, node, candidate, found)
        else:
            yield Explanation(found.value, _tell(view, node, _best(found)))


def _of_nested(
    view: View, query: Query, node: Query, candidate: Candidate, found: Explanation
) -> Iterator[Explanation]:
    if set(node.required) and set(node.required) <= set(query.wanted):
        yield Explanation(found.value, "bonus for having all words: their sum again")
    else:
        yield from _leaves(view, node, candidate)


def _tell(view: View, node: Words | Prefix | Fuzzy, best: Explanation) -> str:
    """Return a leaf in words."""
    weight = repeated(node.weight)
    times = f", times {weight:.3g}" if weight != 1.0 else ""
    if isinstance(node, Prefix):
        return f'words that begin with "{node.text}"{times}'
    if isinstance(node, Fuzzy):
        return f'words similar to "{node.text}"{times}'
    if len(node.variants[0]) > 1:
        how = "near each other" if node.slop else "side by side"
        return f'"{" ".join(node.variants[0])}" {how}{times}'
    found = _TERM.search(best.description)
    term = found["term"] if found else node.variants[0][0]
    have = view.rank(Query(wanted=(Words(((term,),), node.place),)), 1).total
    share = f"in {have:,} of {view.count():,} documents"
    return f'"{term}"{_WHERE[node.place]}: {_counts(best)}, {share}{times}'


_WHERE = {
    "everywhere": "",
    "exact": ", exactly as typed",
    "title": ", in the title",
    "url": ", in the address",
}


def _best(found: Explanation) -> Explanation:
    """Return the word that counted: the best of its forms, without its factors."""
    while found.details and not found.description.startswith("word, product of"):
        found = max(found.details, key=lambda each: each.value)
    return found


def _counts(best: Explanation) -> str:
    """Return how often a word occurs in the document.

    The number of documents with it is counted separately: the index still includes documents that
    were replaced and not yet merged away, which no other number shows.
    """
    numbers = dict(_numbers(best))
    often, of_words = numbers.get("freq", 0.0), numbers.get("dl", 0.0)
    return f"{often:,.0f} of {of_words:,.0f} weighted words"


def _numbers(node: Explanation) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a tree by their short names: `freq, occurrences of term ...`."""
    if not node.details and "," in node.description:
        yield node.description.partition(",")[0], node.value
    for child in node.details:
        yield from _numbers(child)
