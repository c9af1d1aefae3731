"""A collection of invented pages, to look at the workbench without a crawl.

python -m telusur.web.paperdoll --port 8099
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from telusur.document_table import HIT_FIELDS, SEARCHED, VALUE_FACETS
from telusur.documents import DocumentField
from telusur.errors import TelusurError, UsageError
from telusur.models import (
    Counts,
    Document,
    Event,
    Explanation,
    FacetCount,
    Hit,
    SearchResults,
    State,
    Story,
)
from telusur.reports.column_search import search_columns
from telusur.reports.maps import Maps
from telusur.search.columns import ColumnRequest, ColumnResults
from telusur.search.help.completion import Suggestion
from telusur.search.request import SearchRequest
from telusur.web.paperdoll.links import make_paper_web
from telusur.web.paperdoll.pages import PaperPages

_FILE = Path(__file__).with_suffix(".toml")
_STARTED_AT = 1_774_000_000.0
_WORD = re.compile(r"\w+")
_FILTER = re.compile(r"\b(site|lang|type|after|before):(\S+)")
_THREADS = ("Clock drifts after update", "Which clock for a boat?", "Show your clock wall")


def _meant(query: str) -> str:
    """Correct one misspelling, so that the page with a correction can be seen."""
    return query.replace("tyde", "tide") if "tyde" in query else ""


class PaperDoll(PaperPages):
    """A collection in memory that looks real and finds words the simplest way."""

    def __init__(
        self, pages: list[dict[str, Any]], lost: list[dict[str, Any]], is_crawling: bool = False
    ) -> None:
        self.name = "paper-doll"
        self.address = "paper-doll"
        self._sites = {page["url"]: page.pop("site", "") for page in pages}
        self._documents = {page["url"]: Document(**page) for page in pages}
        self._lost = {page["url"]: page for page in lost}
        self._is_crawling = is_crawling
        self.maps = Maps(make_paper_web(self._documents, self._sites), self.answer)

    def answer(self, request: SearchRequest) -> SearchResults:
        """Return the documents that have all words of the query, most matches first."""
        filters = _FILTER.findall(request.query)
        words = [re.escape(word) for word in _WORD.findall(_FILTER.sub("", request.query))]
        found = [hit for hit in self._rank(words) if _passes(hit, filters)]
        ranked = sorted(found, key=lambda hit: -hit.score) if words or filters else []
        start = (request.page - 1) * request.limit
        shown = ranked[start : start + request.limit]
        return SearchResults(
            request.query,
            len(ranked),
            tuple(_explained(hit, request) for hit in shown),
            request.page,
            request.limit,
            0.0042,
            understood=" ".join(request.query.split()),
            did_you_mean=_meant(request.query),
            as_of=_STARTED_AT if request.as_of is None else request.as_of,
            facets={name: _count_by(name, ranked) for name in request.facets},
        )

    def answer_columns(self, request: ColumnRequest) -> ColumnResults:
        """Return the documents with a match in the columns, like a real collection."""
        return search_columns(lambda: map(_row_of, self._documents.values()), request)

    def suggest(self, typed: str, limit: int = 10) -> tuple[Suggestion, ...]:
        """Return words that begin like the typed text, and titles with them."""
        head, _, last = typed.lower().rpartition(" ")
        if not last:
            return ()
        texts = (f"{each.title} {each.text}" for each in self._documents.values())
        counts = Counter(word for text in texts for word in set(_WORD.findall(text.lower())))
        begun = [(word, n) for word, n in counts.most_common() if word.startswith(last)]
        words = [Suggestion(f"{head} {word}".strip(), "word", n) for word, n in begun[: limit - 1]]
        titles = [
            Suggestion(document.title, "title", 1, url)
            for url, document in self._documents.items()
            if typed.lower() in document.title.lower()
        ]
        return (*words, *titles[:2])[:limit]

    def find_words(self, query: str, text: str, language: str = "") -> tuple[tuple[int, int], ...]:
        """Return the positions of the words of a query."""
        words = [re.escape(word) for word in _WORD.findall(_FILTER.sub("", query))]
        pattern = re.compile(rf"\b({'|'.join(words) or '(?!)'})", re.IGNORECASE)
        return tuple(match.span() for match in pattern.finditer(text))

    def related(self, url: str, limit: int = 10) -> tuple[Hit, ...]:
        """Return the pages that share the most words with a page."""
        if url not in self._documents:
            raise UsageError(f"{url}: the collection does not have this page.")
        words = {each: set(_WORD.findall(d.text.lower())) for each, d in self._documents.items()}
        others = sorted(
            (each for each in words if each != url), key=lambda each: -len(words[url] & words[each])
        )
        documents = [self._documents[each] for each in others[:limit]]
        return tuple(
            Hit(each.url, each.title, "", 1.0, language=each.language) for each in documents
        )

    def counts(self) -> Counts:
        """Return counts that fit the documents."""
        documents = len(self._documents)
        states = Counter(page["state"] for page in self._lost.values())
        return Counts(
            waiting=documents * 3 if self._is_crawling else 0,
            leased=4 if self._is_crawling else 0,
            done=documents,
            failed=states["failed"],
            skipped=states["skipped"],
            pages=documents + states["failed"],
            documents=documents,
        )

    def why(self, url: str) -> Story | None:
        """Return an invented history for every URL."""
        if url in self._lost:
            lost = self._lost[url]
            return _make_story(url, State(lost["state"]), lost["reason"], lost.get("status"))
        if url in self._documents:
            return _make_story(url, State.DONE, "", 200)
        return None

    def document(self, url: str) -> Document | None:
        """Return the document of a URL."""
        return self._documents.get(url)

    def sites(self, limit: int = 50) -> list[tuple[str, int]]:
        """Return the sites, the largest first."""
        return Counter(self._sites.values()).most_common(limit)

    def site_order(self) -> tuple[str, ...]:
        """Return the sites in the order of their documents."""
        return tuple(dict.fromkeys(self._sites.values()))

    def is_crawling(self) -> bool:
        """Return what the doll was made with."""
        return self._is_crawling

    def _rank(self, words: list[str]) -> list[Hit]:
        pattern = re.compile(rf"\b({'|'.join(words) or '(?!)'})", re.IGNORECASE)
        hits = []
        for url, document in self._documents.items():
            text = f"{document.title}\n{document.text}"
            if all(re.search(rf"\b{word}", text, re.IGNORECASE) for word in words):
                score = float(len(pattern.findall(text)))
                hits.append(_make_hit(url, self._sites[url], document, pattern, score))
        return hits


def _make_hit(
    url: str, site: str, document: Document, pattern: re.Pattern[str], score: float
) -> Hit:
    text = " ".join(document.text.split())
    found = pattern.search(text)
    start = max(found.start() - 80, 0) if found else 0
    start = text.rfind(" ", 0, start) + 1
    snippet = text[start : start + 220]
    marks = tuple(match.span() for match in pattern.finditer(snippet))
    return Hit(
        url, document.title, snippet, score, marks, site, _STARTED_AT,
        **{field.name: getattr(document, field.name) for field in HIT_FIELDS},
        more_from_site=7 if "tide" in url else 0,
        duplicates=(f"{url}?print=1",) if "tide" in url else (),
    )  # fmt: skip


def _explained(hit: Hit, request: SearchRequest) -> Hit:
    if not request.explain:
        return hit
    leaf = Explanation(hit.score, "how often the words occur")
    return replace(hit, explanation=Explanation(hit.score, "score: the product of", (leaf,)))


def _passes(hit: Hit, filters: list[tuple[str, str]]) -> bool:
    kinds = {facet.word: _value_of(hit, row) for row, facet in VALUE_FACETS.values()}
    for name, value in filters:
        date = hit.date or ""
        if (name == "after" and date < value) or (name == "before" and not "" < date < value):
            return False
        if name in kinds and kinds[name] != value:
            return False
    return True


def _values_of(hit: Hit) -> dict[str, str]:
    date = hit.date or ""
    values = {name: _value_of(hit, row) for name, (row, _) in VALUE_FACETS.items()}
    return values | {"year": date[:4], "month": date[:7]}


def _value_of(hit: Hit, row: DocumentField) -> str:
    """Return a field of a hit; empty for one that hits do not have."""
    return str(getattr(hit, row.name, None) or "")


def _count_by(facet: str, hits: list[Hit]) -> tuple[FacetCount, ...]:
    """Count as the index does: dates in order of time, everything else by frequency."""
    counts = Counter(value for hit in hits if (value := _values_of(hit)[facet]))
    rows = sorted(counts.items()) if facet in ("year", "month") else counts.most_common(20)
    return tuple(FacetCount(*row) for row in rows)


def _make_story(url: str, state: State, reason: str, status: int | None) -> Story:
    home = "/".join(url.split("/")[:3]) + "/"
    events = [Event(_STARTED_AT, State.WAITING, f"link on {home}")]
    if status is not None:
        events.append(Event(_STARTED_AT + 12, State.LEASED))
    events.append(Event(_STARTED_AT + 13.4, state, reason, status))
    is_done = state is State.DONE
    return Story(
        url, state, reason, 2, home, "read on", events[-1].at, tuple(events), indexed=is_done
    )


def make_paper_doll(is_crawling: bool = False, is_empty: bool = False) -> PaperDoll:
    """Return the collection of paperdoll.toml, with a forum large enough to page through."""
    if is_empty:
        return PaperDoll([], [], is_crawling)
    invented = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    forum = [_make_thread(number) for number in range(1, 64)]
    return PaperDoll(invented["pages"] + forum, invented["lost"], is_crawling)


def _row_of(document: Document) -> Any:
    """Return a document as a row with the columns of the catalogue."""
    named = {name: getattr(document, row.name, None) or "" for name, row in SEARCHED.items()}
    return named | {"fields": json.dumps(document.fields)}


def _make_thread(number: int) -> dict[str, Any]:
    subject = _THREADS[number % len(_THREADS)]
    return {
        "url": f"https://forum.tinkers.example/t/{number:04}/{subject.lower().replace(' ', '-')}",
        "site": "tinkers.example",
        "title": f"{subject} (thread {number})",
        "author": "brasshand",
        "date": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "language": "en",
        "text": f"Question {number}: my clock is slow by {number} seconds a day.\nHas anybody an "
        "idea? I have cleaned it twice.\nThe spring was dry. A drop of oil, and it runs again.",
    }


def main(arguments: list[str] | None = None) -> int:
    """Serve the paper doll until Ctrl-C."""
    from telusur.web.app import make_app
    from telusur.web.server import serve

    parser = argparse.ArgumentParser(description="Show the workbench on invented data.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--empty", action="store_true", help="show a collection without pages")
    parser.add_argument("--crawling", action="store_true", help="pretend that a crawl is running")
    given = parser.parse_args(arguments)
    app = make_app(make_paper_doll(given.crawling, given.empty))
    try:
        serve(app, given.host, given.port, lambda url: print(url, flush=True))
    except TelusurError as error:
        print(error, file=sys.stderr)
        return 2
    return 0
