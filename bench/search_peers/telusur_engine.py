"""Telusur behind the peers' contract, through its public surface only."""

import shutil
import string
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import telusur

LETTERS = string.ascii_lowercase[:20]


class Telusur:
    """A collection; `options` go to `Collection.search`.

    Words of URLs are searched too, so the ids, which mean nothing, become letters that nobody
    types.
    """

    def __init__(self, directory: Path, options: dict[str, Any]) -> None:
        self._directory = directory / "collection"
        self._options = options
        self._ids: dict[str, str] = {}
        self._collection = telusur.open(self._directory)

    def add(self, rows: Sequence[dict[str, str]]) -> None:
        """Store and index; every document's language is detected."""
        self._collection.add(self._document(number, row) for number, row in enumerate(rows))

    def search(self, text: str, limit: int) -> list[str]:
        """Search as the page and the command line do, snippets included."""
        hits = self._collection.search(text, limit=limit, **self._options).hits
        return [self._ids[hit.url] for hit in hits]

    def index_again(self) -> None:
        """Throw the index away and have the indexer of a crawl make it again, in its process."""
        shutil.rmtree(self._directory / "index")
        command = [sys.executable, "-m", "telusur.pipeline.indexing.indexer", str(self._directory)]
        subprocess.run(command, input=b"finish\n", check=True)

    def _document(self, number: int, row: dict[str, str]) -> telusur.Document:
        url = f"http://qxz.invalid/{meaningless(number)}"
        self._ids[url] = row["id"]
        return telusur.Document(url=url, title=row["title"], text=row["text"])


def meaningless(number: int) -> str:
    """Write a number in letters, as a word that is in no text."""
    letters = ""
    while number or len(letters) < 4:
        number, digit = divmod(number, len(LETTERS))
        letters += LETTERS[digit]
    return f"zqx{letters}xqz"
