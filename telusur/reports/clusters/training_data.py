"""Clustered pages as training data: label sheets in a directory, or labelled pages in a file."""

import gzip
import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from telusur.errors import UsageError
from telusur.extract.drawn import label_drawn
from telusur.extract.facts.dates import parse_date
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.label_sheets import labelled_page, put_sheet, sheet_text
from telusur.models import Block
from telusur.reports.clusters.clustered_site import ClusteredSite
from telusur.reports.label_corrections import read_blocks, sheet_name
from telusur.store.blobs import Blobs

#: The names of files; anything else is a directory.
FILES = (".jsonl", ".jsonl.xz", ".jsonl.gz")
_OTHER_FILES = (".json", ".csv", ".txt", ".gz", ".xz", ".zst", ".zip", ".html", ".npz", ".labels")


@dataclass(slots=True, frozen=True)
class TrainingPage:
    """A page, its blocks, and the label of each."""

    url: str
    html: str
    blocks: Sequence[Block]
    labels: list[str]


def training_pages(view: ClusteredSite, blobs: Blobs) -> Iterator[TrainingPage]:
    """Yield the pages that were clustered.

    A block has the label that a person gave it on its page; else the one that a person gave its
    cluster; else the extractor's.
    """
    for url in view.urls:
        html = view.reader.html_of(url)
        if html is None:
            continue
        known = read_blocks(blobs, html, url)
        said = [replace(each.block, label=each.label) for each in view.blocks_of(url)]
        labels = [block.label for block in label_drawn(known.blocks, said)]
        for number in known.corrected:
            labels[number] = known.blocks[number].label
        yield TrainingPage(url, html, known.blocks, labels)


def write_training(view: ClusteredSite, blobs: Blobs, path: Path) -> int:
    """Write these pages for `telusur train`; return how many.

    A name that ends in .jsonl, .jsonl.xz or .jsonl.gz is a file of labelled pages. Anything else is
    a directory of label sheets, which can still be corrected block by block.
    """
    _check_path(path)
    try:
        if path.name.endswith(FILES):
            path.parent.mkdir(parents=True, exist_ok=True)
            with _open(path) as out:
                return sum(bool(out.write(line)) for line in training_lines(view, blobs))
        count = 0
        for count, page in enumerate(training_pages(view, blobs), 1):  # noqa: B007
            text = sheet_text(page.url, page.blocks, page.labels)
            put_sheet(path, sheet_name(page.url), page.html, text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    return count


def _check_path(path: Path) -> None:
    """Refuse a name that is probably meant for a file of another kind."""
    if path.name.endswith(FILES):
        return
    if path.is_file() or (path.suffix in _OTHER_FILES and not path.is_dir()):
        raise UsageError(
            f"{path}: a file of labelled pages ends in {', '.join(FILES)}. Any other name is a"
            " directory of label sheets, but this one looks like a file."
        )


def training_lines(view: ClusteredSite, blobs: Blobs) -> Iterator[str]:
    """Yield the same pages as JSON lines with their text, title, author and date."""
    for number, page in enumerate(training_pages(view, blobs), 1):
        ready = labelled_page(str(number), page.html, page.url, page.blocks, page.labels)
        yield json.dumps({**_record(ready), "site": view.site}, ensure_ascii=False) + "\n"


def _record(page: LabelledPage) -> dict[str, Any]:
    facts = {
        "text": page.text, "title": page.title, "author": page.author,
        "date": parse_date(page.date) if page.date else None,
    }  # fmt: skip
    # A fact that no block has is not said to be absent: a byline may have the date too.
    known = [name for name, value in facts.items() if value or name == "text"]
    return {"id": page.id, "url": page.url, **facts, "labels": known, "html": page.html}


def _open(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "wt", encoding="utf-8")
    if path.suffix == ".gz":
        return gzip.open(path, "wt", encoding="utf-8")
    return path.open("w", encoding="utf-8")
