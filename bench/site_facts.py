"""How often author and date are right with and without the record of their site.

Usage: python -m bench.site_facts DATA_DIR SET,SET

Of each set in DATA_DIR/extraction, the sites with three or more pages take part, up to 40 pages
each. A page is read alone, and with a record learned from the others; labels are only used to
measure. "hidden" are the same pages without the data that name author and date (meta elements,
JSON-LD, `<time>`); what the whole page says is then taken for the truth. A day in the address of a
page is not counted.
"""

import json
import lzma
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from bench.metadata import Count, Page, fields_of
from telusur.extract.document import read_page
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.record import SiteRecord
from telusur.models import Document

FACTS = ("author", "date")
LEAST_PAGES = 3
MOST_PAGES = 40
_DATA = re.compile(r"<script[^>]*ld\+json.*?</script>|<meta\b[^>]*>|<time\b", re.S | re.I)

Counts = dict[tuple[str, str, str], Count]


def read_sites(data: Path, name: str) -> list[list[Page]]:
    """Return the pages of each site of a set that has enough of them."""
    sites: dict[str, list[Page]] = defaultdict(list)
    with lzma.open(data / "extraction" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            if page["site"] and len(sites[page["site"]]) < MOST_PAGES:
                sites[page["site"]].append(page)
    return [pages for pages in sites.values() if len(pages) >= LEAST_PAGES]


def hide_data(html: str) -> str:
    """Return a page without the data that may name author and date."""
    return _DATA.sub(lambda found: "<span " if found[0][:5].lower() == "<time" else "", html)


def _read(page: Page, html: str, record: SiteRecord | None = None) -> Document:
    return read_page(html, page["url"] or page["id"], site=record).document


def _learn(pages: list[Page]) -> Iterator[PageEvidence | None]:
    for page in pages:
        reading = read_page(page["html"], page["url"] or page["id"], site=SiteRecord())
        if reading.site is None:
            yield None
            continue
        # Pages of the data may share an address; here each is its own.
        reading.site.evidence.address = crc32(f"{page['id']} {page['url']}".encode())
        yield reading.site.evidence


def measure_site(name: str, pages: list[Page], counts: Counts) -> None:
    """Count the answers to the pages of one site."""
    evidence = list(_learn(pages))
    for number, page in enumerate(pages):
        record = SiteRecord()
        others = enumerate(evidence)
        record.learn(each for place, each in others if each is not None and place != number)
        alone, known = _read(page, page["html"]), _read(page, page["html"], record)
        for fact in set(fields_of(page, name)) & set(FACTS):
            _count(counts, (fact, "labels"), (alone, known), page[fact])
        hidden = hide_data(page["html"])
        if hidden == page["html"] or alone.page_type not in ("article", "forum"):
            continue
        both = _read(page, hidden), _read(page, hidden, record)
        for fact in FACTS:
            truth = getattr(alone, fact)
            if fact == "author" or not truth or truth[:4] not in (page["url"] or ""):
                _count(counts, (fact, "hidden"), both, truth)


def _count(
    counts: Counts, row: tuple[str, str], both: tuple[Document, Document], truth: str | None
) -> None:
    for kind, document in zip(("alone", "site"), both, strict=True):
        counts[(*row, kind)].add(row[0], getattr(document, row[0]), truth)


def main() -> int:
    """Print a row for each set, fact and way of reading."""
    data, names = Path(sys.argv[1]), sys.argv[2].split(",")
    for name in names:
        counts: Counts = defaultdict(Count)
        for pages in read_sites(data, name):
            measure_site(name, pages, counts)
        for (fact, truth, kind), count in sorted(counts.items()):
            print(
                f"{name:14}{fact:8}{truth:8}{kind:7}{count.asked:5} {count.equal:.3f}"
                f"  wrong {count.results['wrong']}, false {count.results['false']}"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
