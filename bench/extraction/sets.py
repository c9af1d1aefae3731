"""The sets of labelled pages, unpacked once, in an order of which any beginning is a sample."""

import json
import lzma
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.extraction.hashes import hash_of
from telusur.errors import UsageError
from telusur.learn.pages.dataset import LabelledPage, read_pages

# When the pages of a set are from, where most have no date of their own.
_YEARS = {
    "blocks": 2013, "chaos": 2017, "cleaneval": 2006, "cleanportaleval": 2013, "daniel": 2011,
    "dragnet": 2012, "harvest": 2020, "htmltotext": 2020, "listing": 2017, "magic_article": 2024,
    "magic_forum": 2024, "swde": 2010, "zh_news": 2018,
}  # fmt: skip
_AGES = ((2010, "to 2009"), (2015, "2010-14"), (2020, "2015-19"), (9999, "2020 on"))
NEWS = (
    "chaos", "dragnet", "daniel", "cleanportaleval", "news_articles", "newspaper4k", "id_news",
    "zh_news", "magic_article",
)  # fmt: skip
# Where a row has its key, which comes first.
KEY_AT = slice(len('{"key": "'), len('{"key": "') + 16)


@dataclass(slots=True, frozen=True)
class PageSet:
    """A set of pages: the unpacked file of its pages, named as it and as what is in it."""

    file: Path

    @property
    def name(self) -> str:
        """Return the name, which is also the source of its pages."""
        return self.file.name.partition(".")[0]

    def keyed(self) -> Iterator[tuple[str, LabelledPage]]:
        """Yield keys and pages, in an order that only depends on their ids."""
        with self.file.open(encoding="utf-8") as rows:
            keys = (row[KEY_AT] for row in rows)
            yield from zip(keys, read_pages(self.file), strict=True)

    def pages(self) -> Iterator[LabelledPage]:
        """Yield all pages."""
        yield from read_pages(self.file)

    def sites(self) -> list[str]:
        """Return the site of each page, or its id if it has none."""
        return self.file.with_suffix(".sites").read_text(encoding="utf-8").split("\n")


def unpack_sets(data: Path, cache: Path, only: list[str]) -> list[PageSet]:
    """Unpack the files of DATA/extraction that are not yet in the cache."""
    files = sorted((data / "extraction").glob("*.jsonl.xz"))
    if not files:
        raise UsageError(f"{data}: there are no files extraction/*.jsonl.xz in it.")
    names = [path.name.partition(".")[0] for path in files]
    if unknown := sorted(set(only) - set(names)):
        raise UsageError(f"{', '.join(unknown)}: no such set; there are {', '.join(names)}.")
    chosen = [path for path in files if not only or path.name.partition(".")[0] in only]
    return [unpack_set(path, cache) for path in chosen]


def age_of(page: LabelledPage) -> str:
    """Return the years that a page is from: by its date, or else by its set."""
    year = int(page.date[:4]) if page.date else _YEARS.get(page.source)
    return "unknown" if year is None else next(name for end, name in _AGES if year < end)


def unpack_set(path: Path, cache: Path) -> PageSet:
    """Unpack a file of labelled pages that is not yet in the cache."""
    name = path.name.partition(".")[0]
    packed = path.read_bytes()
    out = cache / "pages" / f"{name}.{hash_of(packed)}.jsonl"
    out.parent.mkdir(parents=True, exist_ok=True)
    if not out.is_file():
        print(f"Unpacking {path.name} ...", file=sys.stderr, flush=True)
        rows = [json.loads(row) for row in lzma.decompress(packed).decode().split("\n") if row]
        rows.sort(key=lambda row: hash_of(name, row["id"]))
        sites = [row.get("site") or row["id"] for row in rows]
        out.with_suffix(".sites").write_text("\n".join(sites), encoding="utf-8")
        part = out.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for row in rows:
                # The key comes first, so that readers find a page without parsing the others.
                key = hash_of(row.get("url"), row["html"])
                file.write(json.dumps({"key": key, **row}) + "\n")
        part.replace(out)
    return PageSet(out)
