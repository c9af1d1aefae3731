"""From what was typed to what the index is asked: every word in each language of the collection."""

from collections.abc import Iterable
from dataclasses import dataclass

from telusur.index.query import Query
from telusur.search.builder import QueryBuilder
from telusur.search.filters import language_code
from telusur.search.lexicon import NO_LEXICON, Lexicon
from telusur.search.syntax import Row, Tree, parse, wishes_of
from telusur.search.understood import describe

# A query is analysed in at most so many languages, the most frequent first.
MOST_LANGUAGES = 8


@dataclass(slots=True, frozen=True)
class ReadQuery:
    """What was typed, as we read it, and as the index is asked."""

    tree: Row
    query: Query
    languages: tuple[str, ...]
    """Those the words were read in."""

    @property
    def understood(self) -> str:
        """Return what was understood, so that a person can read it and type it again."""
        return describe(self.tree)


def read_query(
    text: str, languages: Iterable[str] = ("",), lexicon: Lexicon = NO_LEXICON
) -> ReadQuery:
    """Read what was typed; any string gives a query, an empty one if it has no words.

    `languages` are those of the documents: a word is looked for in the form each of them gives it.
    `lang:` narrows them.
    """
    tree = parse(text)
    asked = languages_asked(tree) or tuple(dict.fromkeys(languages)) or ("",)
    asked = asked[:MOST_LANGUAGES]
    return ReadQuery(tree, QueryBuilder(asked, lexicon).build(tree), asked)


def parse_query(
    text: str, languages: Iterable[str] = ("",), lexicon: Lexicon = NO_LEXICON
) -> Query:
    """Return only the query."""
    return read_query(text, languages, lexicon).query


def languages_asked(tree: Tree) -> tuple[str, ...]:
    """Return the languages that `lang:` asks for."""
    wishes = (wish for wish in wishes_of(tree) if wish.field == "lang")
    return tuple(dict.fromkeys(language_code(wish.text) for wish in wishes))
