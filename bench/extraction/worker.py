"""One extractor over the pages: `python worker.py NAME DATA_FILE IDS_FILE ANSWERS_FILE`.

A process of its own for each run. Writes a line of JSON for each page (answer, CPU seconds, what
it failed with) and a last one with the peak memory. Reading the data, importing the extractor and
its first pages (small ones, to load what is loaded late) are not counted.
"""

import json
import lzma
import resource
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from readers import READERS, Page, Reader

_SENTENCES = {
    "en": "A page to begin with, so that what is loaded late is there before the clock starts.",
    "id": "Halaman ini dibaca sebelum waktu dihitung, supaya semua sudah dimuat pada waktunya. Üü.",
    "fr": "Diese Seite nennt sich französisch, damit auch das geladen wird, was Sprachen kennt.",
}
FIRST_PAGES: tuple[Page, ...] = tuple(
    {
        "html": f"<!doctype html><html lang={language}><title>First</title><article><h1>First</h1>"
        f"<p>{sentence}</p></article>",
        "url": "http://first.example/",
        "site": "first.example",
    }
    for language, sentence in _SENTENCES.items()
)


def main(name: str, data: str, ids: str, answers: str) -> None:
    """Read all wanted pages with one extractor."""
    warnings.simplefilter("ignore")
    wanted = frozenset(Path(ids).read_text().split())
    read = READERS[name]()
    for page in FIRST_PAGES:
        answer_page(read, page)
    with open(answers, "w", encoding="utf-8") as file:
        for page in pages_of(data, wanted):
            file.write(json.dumps({"id": page["id"], **answer_page(read, page)}) + "\n")
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        file.write(json.dumps({"peak_mb": kilobytes / 1000}) + "\n")


def pages_of(data: str, wanted: frozenset[str]) -> Iterator[Page]:
    """Yield the rows of the data set with these ids, one in memory at a time."""
    with lzma.open(data, "rt", encoding="utf-8") as rows:
        for row in rows:
            page: Page = json.loads(row)
            if page["id"] in wanted:
                yield page


def answer_page(read: Reader, page: Page) -> dict[str, Any]:
    """Return the answer, the CPU seconds it took, and the error when there was one."""
    started = time.process_time()
    try:
        answer: dict[str, Any] = dict(read(page))
    except Exception as error:  # a contestant that fails on a page has said nothing
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    answer["seconds"] = time.process_time() - started
    return answer


if __name__ == "__main__":
    main(*sys.argv[1:])
