"""Makes a query from a tree of wishes: optional words, required parts, filters."""

from collections.abc import Iterable
from typing import TypeGuard

from telusur.index.query import Node, Query, Words
from telusur.language.words import find_words
from telusur.search.query.filters import filter_of, join_filters
from telusur.search.query.leaves import LeafMaker
from telusur.search.query.lexicon import Lexicon
from telusur.search.query.syntax import (
    MOST_WISHES,
    All,
    Either,
    Not,
    QueryWish,
    Row,
    Tree,
    is_plain,
)
from telusur.search.query.typed_words import count_words, weighted

# Up to this many words, documents with all words come before those with some. A longer query is
# prose, where a missing word means nothing. Measured by bench/relevance/.
TOGETHER_UP_TO = 8


class QueryBuilder:
    """Reads the words of a tree in several languages; the best form of each word counts."""

    def __init__(self, languages: tuple[str, ...], lexicon: Lexicon) -> None:
        self._languages = languages
        self._lexicon = lexicon
        self._leaves = LeafMaker(languages)

    def build(self, row: Row) -> Query:
        """Return the query of a row of parts."""
        plain = [word for part in row.parts if is_plain(part) for word in find_words(part.text)]
        counted = count_words(plain[:MOST_WISHES], self._languages, self._lexicon)
        filters, others = join_filters(part for part in row.parts if not is_plain(part))
        required, excluded = self._gather(others)
        required += filters
        if not required or required == filters:
            counted.count_small_ones()
        wanted = tuple(weighted(counted.content))
        bonus: list[Node] = [*weighted(counted.ambiguous), *_together(wanted)]
        return Query(wanted, tuple(required), tuple(excluded), tuple(bonus))

    def _gather(self, parts: Iterable[Tree]) -> tuple[list[Node], list[Node]]:
        """Return what some parts ask for, and what they exclude."""
        required: list[Node] = []
        excluded: list[Node] = []
        for part in parts:
            node = self._node(part)
            if isinstance(node, Query) and node.is_empty:
                excluded += node.excluded
            elif node is not None:
                required.append(node)
        # Drop repeated parts.
        return list(dict.fromkeys(required)), list(dict.fromkeys(excluded))

    def _node(self, tree: Tree) -> Node | None:
        """Return what a part alone asks for; None if that is nothing."""
        match tree:
            case QueryWish():
                return filter_of(tree) or self._leaf(tree)
            case Not():
                node = self._node(tree.part)
                return Query(excluded=(node,)) if _asks(node) else None
            case Row():
                query = self.build(tree)
            case All():
                query = self._all(tree)
            case Either():
                nodes = map(self._node, tree.parts)
                query = Query(wanted=tuple(node for node in nodes if _asks(node)))
        return None if query.is_empty and not query.excluded else query

    def _all(self, tree: All) -> Query:
        content = [part for part in tree.parts if not self._is_small(part)]
        required, excluded = self._gather(content or tree.parts)
        return Query(required=tuple(required), excluded=tuple(excluded))

    def _leaf(self, wish: QueryWish) -> Node | None:
        if not is_plain(wish):
            return self._leaves.make(wish)
        written = find_words(wish.text)
        if len(written) > 1:
            return self._leaves.make_run(wish.text)
        counted = count_words(written, self._languages, self._lexicon)
        counted.count_small_ones()
        words = (*weighted(counted.content), *weighted(counted.ambiguous))
        return words[0] if len(words) == 1 else self._leaves.make_run(wish.text)

    def _is_small(self, part: Tree) -> bool:
        """Tell whether a part consists of stop words in every language."""
        if not is_plain(part):
            return False
        words = count_words(find_words(part.text), self._languages, self._lexicon)
        return not words.content and not words.ambiguous


def _asks(node: Node | None) -> TypeGuard[Node]:
    """Tell whether a node asks for something; one that only excludes does not."""
    return node is not None and not (isinstance(node, Query) and node.is_empty)


def _together(words: tuple[Words, ...]) -> tuple[Query, ...]:
    """Return a query that doubles the score of documents with all words of a short query."""
    return (Query(required=words),) if 2 <= len(words) <= TOGETHER_UP_TO else ()
