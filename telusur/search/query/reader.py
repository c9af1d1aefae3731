"""From typed text to an index query: every word in each language of the collection."""

from collections.abc import Iterable
from dataclasses import dataclass

from telusur.index.query import Query
from telusur.search.query.builder import QueryBuilder
from telusur.search.query.filters import language_code
from telusur.search.query.lexicon import NO_LEXICON, Lexicon
from telusur.search.query.syntax import Row, Tree, parse, wishes_of
from telusur.search.query.understood import describe

# A query is analysed in at most this many languages, the most frequent first.
MOST_LANGUAGES = 8


@dataclass(slots=True, frozen=True)
class ReadQuery:
    """A typed query: its syntax tree, and the query for the index."""

    tree: Row
    query: Query
    # The languages in which the words were analysed.
    languages: tuple[str, ...]

    @property
    def understood(self) -> str:
        """Return how the query was understood, in a form that can be typed again."""
        return describe(self.tree)


def read_query(
    text: str, languages: Iterable[str] = ("",), lexicon: Lexicon = NO_LEXICON
) -> ReadQuery:
    """Read a query; any string gives a query, an empty one if it has no words.

    `languages` are those of the documents: a word is searched in the form that each of them gives
    it. `lang:` narrows them.
    """
    tree = parse(text)
    asked = languages_asked(tree) or tuple(dict.fromkeys(languages)) or ("",)
    asked = asked[:MOST_LANGUAGES]
    return ReadQuery(tree, QueryBuilder(asked, lexicon).build(tree), asked)


def languages_asked(tree: Tree) -> tuple[str, ...]:
    """Return the languages that `lang:` asks for."""
    wishes = (wish for wish in wishes_of(tree) if wish.field == "lang")
    return tuple(dict.fromkeys(language_code(wish.text) for wish in wishes))
