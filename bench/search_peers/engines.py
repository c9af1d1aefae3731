"""The peers, each with the settings that rank best: index documents, return the best ids.

Imported by worker.py within the environment of the peers, which has no Telusur.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

WORD = re.compile(r"\w+")

# A document: `id`, `title`, `text`.
Row = dict[str, str]


class Engine(Protocol):
    """A search engine in one setting."""

    def add(self, rows: Sequence[Row]) -> None:
        """Index all documents and make them searchable."""

    def search(self, text: str, limit: int) -> list[str]:
        """Return the ids of the best documents for words in plain prose."""


def whole(row: Row) -> str:
    """Return all words of a document as one text: no peer here gives titles a weight."""
    return f"{row['title']}\n{row['text']}" if row["title"] else row["text"]


class Bm25s:
    """bm25s: its longer list of stop words, Snowball stems, numba."""

    def __init__(self, directory: Path, language: str) -> None:
        import Stemmer

        self._stop_words = self._choose_stop_words(language)
        # Without stems everybody here ranks Indonesian better: .881 instead of .852.
        self._stemmer = Stemmer.Stemmer(language) if language == "english" else None
        self._ids: list[str] = []

    def _choose_stop_words(self, language: str) -> list[str]:
        return sorted(_stop_words(language))

    def _tokens(self, texts: list[str], **options: Any) -> Any:
        import bm25s

        return bm25s.tokenize(
            texts, stopwords=self._stop_words, stemmer=self._stemmer, show_progress=False, **options
        )

    def add(self, rows: Sequence[Row]) -> None:
        """Keep everything in memory, as it is made for."""
        import bm25s

        self._ids = [row["id"] for row in rows]
        self._retriever = bm25s.BM25(k1=1.5, b=0.75, backend="numba")
        self._retriever.index(self._tokens([whole(row) for row in rows]), show_progress=False)

    def search(self, text: str, limit: int) -> list[str]:
        """Ask for one query at a time, in this thread."""
        tokens = self._tokens([text], return_ids=False)
        known = [[word for word in tokens[0] if word in self._retriever.vocab_dict]]
        if not known[0]:
            return []
        k = min(limit, len(self._ids))
        found, scores = self._retriever.retrieve(known, k=k, n_threads=1, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return [self._ids[number] for number, score in pairs if score > 0]


class Bm25sShort(Bm25s):
    """The same with the 33 stop words of its defaults: what Telusur's targets were set by."""

    def _choose_stop_words(self, language: str) -> list[str]:
        from bm25s.stopwords import STOPWORDS_EN

        return list(STOPWORDS_EN) if language == "english" else []


class Tantivy:
    """Raw tantivy: its own analyser with stop words and stems, one writer thread."""

    def __init__(self, directory: Path, language: str) -> None:
        import tantivy

        builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        builder = builder.filter(tantivy.Filter.remove_long(40)).filter(tantivy.Filter.lowercase())
        if language == "english":  # it has no Indonesian
            stop_words = sorted(_stop_words(language))
            builder = builder.filter(tantivy.Filter.custom_stopword(stop_words))
            builder = builder.filter(tantivy.Filter.stemmer(language))
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        schema.add_text_field("text", tokenizer_name="best")
        self._index = tantivy.Index(schema.build(), path=str(directory))
        self._analyser = builder.build()
        self._index.register_tokenizer("best", self._analyser)

    def add(self, rows: Sequence[Row]) -> None:
        """Write in one thread; the merges at the end are waited for."""
        import tantivy

        writer = self._index.writer(50_000_000, 1)
        for row in rows:
            document = tantivy.Document()
            document.add_text("id", row["id"])
            document.add_text("text", whole(row))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[str]:
        """A word that comes twice counts twice; its query parser would count it once."""
        from tantivy import Occur, Query

        schema = self._index.schema
        terms = [
            (Occur.Should, Query.boost_query(Query.term_query(schema, "text", term), float(times)))
            for term, times in Counter(self._analyser.analyze(text)).items()
        ]
        hits = self._searcher.search(Query.boolean_query(terms), limit).hits if terms else []
        return [self._searcher.doc(at).get_first("id") for _, at in hits]


class Fts5:
    """SQLite FTS5 with the porter tokenizer; stop words are left out of the query."""

    def __init__(self, directory: Path, language: str) -> None:
        self._db = sqlite3.connect(directory / "fts.db")
        self._stop_words = _stop_words(language)
        stems = "porter unicode61" if language == "english" else "unicode61"
        self._db.execute(
            f"CREATE VIRTUAL TABLE pages USING fts5(id UNINDEXED, text, tokenize='{stems}')"
        )

    def add(self, rows: Sequence[Row]) -> None:
        """One transaction, merged into one segment at the end."""
        with self._db:
            pairs = ((row["id"], whole(row)) for row in rows)
            self._db.executemany("INSERT INTO pages VALUES (?, ?)", pairs)
            self._db.execute("INSERT INTO pages (pages) VALUES ('optimize')")

    def search(self, text: str, limit: int) -> list[str]:
        """Any of the words; bm25() sorts."""
        asked = " OR ".join(f'"{word}"' for word in _words(text, self._stop_words))
        rows = self._db.execute(
            "SELECT id FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?", (asked, limit)
        )
        return [name for (name,) in rows] if asked else []


class Whoosh:
    """Whoosh: StemmingAnalyzer, BM25F, any of the words."""

    def __init__(self, directory: Path, language: str) -> None:
        from whoosh import analysis, fields, index

        stop_words = _stop_words(language) or None
        kind = analysis.StemmingAnalyzer if language == "english" else analysis.StandardAnalyzer
        analyser = kind(stoplist=stop_words)
        schema = fields.Schema(
            id=fields.ID(stored=True), text=fields.TEXT(analyzer=analyser, phrase=False)
        )
        self._index = index.create_in(str(directory), schema)
        self._analyser = analyser

    def add(self, rows: Sequence[Row]) -> None:
        """Write in this process."""
        writer = self._index.writer(limitmb=256)
        for row in rows:
            writer.add_document(id=row["id"], text=whole(row))
        writer.commit(optimize=True)
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int) -> list[str]:
        """A word that comes twice counts twice, as for the others."""
        from whoosh.query import Or, Term

        terms = Counter(token.text for token in self._analyser(text))
        query = Or([Term("text", term, boost=times) for term, times in terms.items()])
        return [hit["id"] for hit in self._searcher.search(query, limit=limit)]


class Xapian:
    """Xapian: stems, its BM25, any of the words; stop words are left out of the query."""

    def __init__(self, directory: Path, language: str) -> None:
        import xapian

        self._xapian = xapian
        self._stop_words = _stop_words(language)
        self._db = xapian.WritableDatabase(str(directory / "xapian"), xapian.DB_CREATE_OR_OPEN)
        self._stem = xapian.Stem(language) if language == "english" else None

    def add(self, rows: Sequence[Row]) -> None:
        """Index stems without positions: nobody here asks for a phrase."""
        generator = self._xapian.TermGenerator()
        if self._stem is not None:
            generator.set_stemmer(self._stem)
            generator.set_stemming_strategy(self._xapian.TermGenerator.STEM_ALL)
        for row in rows:
            document = self._xapian.Document()
            document.set_data(row["id"])
            generator.set_document(document)
            generator.index_text_without_positions(whole(row))
            self._db.add_document(document)
        self._db.commit()

    def search(self, text: str, limit: int) -> list[str]:
        """Repeated words count as often as they come."""
        words = _words(text, self._stop_words)
        stem = self._stem
        terms = [stem(word.encode()).decode() for word in words] if stem is not None else words
        enquire = self._xapian.Enquire(self._db)
        enquire.set_query(self._xapian.Query(self._xapian.Query.OP_OR, terms))
        enquire.set_weighting_scheme(self._xapian.BM25Weight(1.2, 0, 100, 0.75, 0.5))
        return [match.document.get_data().decode() for match in enquire.get_mset(0, limit)]


ENGINES: dict[str, Any] = {
    "bm25s": Bm25s,
    "bm25s-short": Bm25sShort,
    "tantivy": Tantivy,
    "fts5": Fts5,
    "whoosh": Whoosh,
    "xapian": Xapian,
}


def _words(text: str, without: Iterable[str] = ()) -> list[str]:
    """Return the words of a query in lower case, all of them if they are all stop words."""
    words = WORD.findall(text.lower())
    return [word for word in words if word not in without] or words


def _stop_words(language: str) -> frozenset[str]:
    """Return the longer list of bm25s, with which all of them rank better than with their own.

    It has lists for a few languages only; for the others no word is dropped.
    """
    if language != "english":
        return frozenset()
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)
