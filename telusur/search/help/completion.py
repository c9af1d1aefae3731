"""Suggestions for a typed text: words, phrases and titles of the collection."""

from collections.abc import Sequence
from dataclasses import dataclass

from telusur.index.contract import View
from telusur.index.query import Node, Prefix, Query, Words
from telusur.language.analysis import terms
from telusur.language.exact import exact_terms
from telusur.language.words import is_continuous, locate_words
from telusur.search.query.lexicon import NO_LEXICON, Lexicon
from telusur.search.query.pieces import clean
from telusur.search.word_list import WordList

MOST_CHARACTERS = 200
MOST_SUGGESTIONS = 50
# How many words are ranked by how often they follow the word before.
_LOOKED_AT = 40
_TITLES = 3
# How many words are suggested even if none of them follows the word before.
_UNHEARD_OF = 5


@dataclass(slots=True, frozen=True)
class Suggestion:
    """A text to search for; `kind` is word, phrase or title, which also has the page's `url`."""

    text: str
    kind: str
    documents: int = 0
    url: str = ""


def suggest(
    typed: str,
    view: View,
    languages: Sequence[str] = ("",),
    limit: int = 10,
    lexicon: Lexicon = NO_LEXICON,
) -> tuple[Suggestion, ...]:
    """Return completions of a typed text: its last word completed, then titles.

    After a space, a quote or a field there is no word to complete, so nothing is returned.
    """
    head, last = split_last_word(typed)
    limit = min(limit, MOST_SUGGESTIONS)
    if not last or limit < 1:
        return ()
    before = exact_terms(head, languages[0])
    words = complete(last, view, _LOOKED_AT, languages, lexicon)
    found = _phrases(head, before[-1], words, view) if before else words
    titles = _titles(before, last, view, languages)
    room = max(limit - len(titles), limit // 2)
    best = [*found[:room], *titles, *found[room:]]
    return tuple({one.text.casefold(): one for one in reversed(best)}.values())[::-1][:limit]


def complete(
    prefix: str,
    words: WordList,
    limit: int,
    languages: Sequence[str] = ("",),
    lexicon: Lexicon = NO_LEXICON,
) -> list[Suggestion]:
    """Return words of the collection with this beginning, the most frequent first.

    Only the most frequent form of each word is returned, and no stop words.
    """
    begun = exact_terms(prefix, languages[0])
    if len(begun) != 1 or not prefix[-1:].isalnum():
        return []
    found: dict[str, Suggestion] = {}
    for word, documents in words.terms(begun[0], 4 * limit):
        if not any(lexicon.is_stop_word(word, code) for code in languages):
            stem = "".join(terms(word, languages[0], keep_stop_words=True))
            found.setdefault(stem, Suggestion(word, "word", documents))
    return list(found.values())[:limit]


def split_last_word(typed: str) -> tuple[str, str]:
    """Return the text before the word that is being typed, and that word, if there is one."""
    typed = clean(typed)[-MOST_CHARACTERS:]
    located = list(locate_words(typed))
    if not located or located[-1][2] != len(typed):
        return typed, ""
    word, start, _ = located[-1]
    if typed[:start].endswith(":"):
        return typed, ""
    return typed[:start], word


def _phrases(head: str, before: str, words: list[Suggestion], view: View) -> list[Suggestion]:
    """Return completions of the typed text, those first that often follow the word before."""
    found = []
    for word in words:
        followed = Query(required=(Words(((before, word.text),), "exact"),))
        documents = view.rank(followed, 1).total
        found.append(Suggestion(f"{head}{word.text}", "phrase" if documents else "word", documents))
    found.sort(key=lambda one: -one.documents)
    return [one for one in found if one.documents] or found[:_UNHEARD_OF]


def _titles(before: list[str], last: str, view: View, languages: Sequence[str]) -> list[Suggestion]:
    """Return the best titles with the typed words, and a word that begins with the last."""
    stems = [tuple(terms(word, code)) for word in before for code in languages[:1]]
    begun = exact_terms(last, languages[0])
    if len(begun) != 1 or (len(begun[0]) < 2 and not is_continuous(last)):
        return []
    nodes: list[Node] = [Words((stem,), "title") for stem in stems if stem]
    ending = (
        Prefix(begun[0], "title"),
        Words((tuple(terms(last, languages[0], keep_stop_words=True)),), "title"),
    )
    ranking = view.rank(Query(required=(*nodes, Query(wanted=ending))), _TITLES)
    entries = view.entries(ranking.candidates)
    return [Suggestion(entry.title, "title", 1, entry.url) for entry in entries if entry.title]
