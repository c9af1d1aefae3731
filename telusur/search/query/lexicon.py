"""The user's own word lists: stop words, common words and synonyms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from telusur.language.analysis import get_analyser, is_stop_word
from telusur.language.normalise import normalise_word
from telusur.language.synonyms import Run, Synonyms


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Stop words by language, replacing the built-in ones; common words of any language;
    synonyms."""

    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    common: frozenset[str] = frozenset()
    synonyms: Synonyms = field(default_factory=Synonyms)

    def is_stop_word(self, word: str, language: str) -> bool:
        """Tell whether a word is too common to be searched for."""
        own = self.stop_words.get(language)
        if own is None and not self.common:
            return is_stop_word(word, language)
        normal = normalise_word(word, language)
        stop_words = get_analyser(language).stop_words if own is None else own
        return normal in stop_words or normal in self.common

    def synonyms_in(self, run: Sequence[str], language: str) -> dict[int, tuple[Run, ...]]:
        """Return the synonyms of each term in a row, by its index.

        A synonym of several words ("new york") counts for each of them.
        """
        if not self.synonyms.pairs:
            return {}
        known = self.synonyms.of_language(language)
        longest = max(map(len, known), default=0)
        found: dict[int, tuple[Run, ...]] = {}
        for start in range(len(run)):
            for end in range(start + 1, min(len(run), start + longest) + 1):
                others = known.get(tuple(run[start:end]), ())
                for place in range(start, end) if others else ():
                    found[place] = (*found.get(place, ()), *others)
        return found


NO_LEXICON = Lexicon()
