"""The best hits of a search, grouped by topic."""

from collections.abc import Sequence

from telusur.index.contract import Candidate
from telusur.index.weights import inverse_frequency
from telusur.language.analysis import terms
from telusur.models import HitGroup
from telusur.search.help.topics import find_topics
from telusur.search.show.hits import HitMaker


def group_by_topic(maker: HitMaker, candidates: Sequence[Candidate]) -> tuple[HitGroup, ...]:
    """Return candidates as groups of hits, at most a page of each."""
    view = maker.view
    documents = view.count()
    asked = {term for word in maker.shown for run in word.runs for term in run}

    def rarity(word: str, language: str) -> float:
        found = [view.frequency(term) for term in terms(word, language, keep_stop_words=True)]
        return inverse_frequency(max(found, default=documents), documents)

    topics = find_topics(view.entries(candidates), asked, rarity)
    return tuple(
        HitGroup(
            topic.name,
            len(topic.places),
            maker.make([candidates[place] for place in topic.places[: maker.request.limit]]),
        )
        for topic in topics
    )
