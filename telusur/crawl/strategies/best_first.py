"""Best-first: links of the pages most similar to the topic come first (cosine of term counts)."""

from collections import Counter
from collections.abc import Sequence

from telusur.errors import UsageError
from telusur.language.analysis import terms
from telusur.language.similarity import cosine
from telusur.models import Document, Link


class BestFirst:
    """Scores a link by the similarity of the page it stands on and the topic's words."""

    def __init__(self, topic: str) -> None:
        if not topic.strip():
            raise UsageError("--strategy best-first needs words to look for: add --topic WORDS.")
        self._topic = topic
        self._wanted: dict[str, Counter[str]] = {}

    def score(self, links: Sequence[Link], document: Document, depth: int) -> list[float]:
        """Return the page's similarity to the topic for every link."""
        language = document.language
        if language not in self._wanted:
            self._wanted[language] = Counter(terms(self._topic, language))
        words = Counter(terms(f"{document.title}\n{document.text}", language))
        return [cosine(words, self._wanted[language])] * len(links)
