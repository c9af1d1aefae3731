"""One extractor over some pages: `python worker.py TASK`, in an environment of its own.

TASK is a file of JSON: `name` of the extractor, `model` that Telusur uses (or null), files of
`pages`, the keys of those `wanted`, the `answers` directory, and `page_seconds`, the CPU time that
a page may take. Appends a line of JSON for each page to a file of `answers` named as its set: the
answer, CPU seconds, and what it failed with. Prints the set and key of each page before reading it,
so that the caller knows which page ended the process. Reading the data, importing the extractor and
its first pages (small ones, to load what is loaded late) are not counted.
"""

import json
import resource
import signal
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


def main(task_file: str) -> None:
    """Read all wanted pages with one extractor."""
    warnings.simplefilter("ignore")
    task = json.loads(Path(task_file).read_text(encoding="utf-8"))
    read = READERS[task["name"]](task["model"])
    for page in FIRST_PAGES:
        answer_page(read, page)
    for source, key, row in pages_of(task["pages"], set(task["wanted"]), slice(*task["key_at"])):
        print(source, key, flush=True)
        page = json.loads(row)
        # Ends the process, even inside compiled code.
        signal.setitimer(signal.ITIMER_PROF, task["page_seconds"])
        answer = answer_page(read, page)
        signal.setitimer(signal.ITIMER_PROF, 0)
        with open(Path(task["answers"]) / f"{source}.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **answer, "peak_mb": peak_mb()}) + "\n")


def pages_of(files: list[str], wanted: set[str], at: slice) -> Iterator[tuple[str, str, str]]:
    """Yield set, key and row of each wanted page; the key is at this place of the row."""
    for path in map(Path, files):
        with path.open(encoding="utf-8") as rows:
            for row in rows:
                if (key := row[at]) in wanted:
                    yield path.name.partition(".")[0], key, row


def answer_page(read: Reader, page: Page) -> dict[str, Any]:
    """Return the answer, the CPU seconds it took, and the error when there was one."""
    started = time.process_time()
    try:
        answer: dict[str, Any] = dict(read(page))
    except Exception as error:  # a contestant that fails on a page has said nothing
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    # What is asked for beyond the answer is not on the clock.
    after = answer.pop("after", None)
    answer["seconds"] = time.process_time() - started
    return {**answer, **(after() if after else {})}


def peak_mb() -> float:
    """Return the most memory that this process had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main(sys.argv[1])
