"""What other extractors find on pages without a true text.

    python -m bench.extraction.witnesses CACHE_DIR OUT SET...

Each SET is a file of labelled pages. The peers are installed into CACHE_DIR once, and asked about a
page once. OUT gets a line of JSON for each page: `source`, `id` and `texts`. `telusur train
--witnesses OUT` learns from them.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.extraction.answers import Asked, asked_peers
from bench.extraction.sets import PageSet, unpack_set

WITNESSES = ("trafilatura", "readability")


def main(cache: str, out: str, *files: str) -> int:
    """Ask every witness about every set, and write their answers."""
    place = Path(cache).resolve()
    sets = [unpack_set(Path(path), place) for path in files]
    rows = [json.dumps(row) for row in ask_witnesses(sets, asked_peers(place, WITNESSES))]
    Path(out).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} pages", file=sys.stderr)
    return 0


def ask_witnesses(sets: Sequence[PageSet], witnesses: Sequence[Asked]) -> list[dict[str, Any]]:
    """Return what the witnesses say about the pages without a text of these sets."""
    pages = {
        one.name: [(key, page.id) for key, page in one.keyed() if page.text is None] for one in sets
    }
    wanted = {name: [key for key, _ in own] for name, own in pages.items()}
    for witness in witnesses:
        witness.ask(sets, wanted)
    rows: list[dict[str, Any]] = []
    for name, own in pages.items():
        answers = [witness.answers(name) for witness in witnesses]
        rows += [
            {"source": name, "id": page, "texts": [each[key].get("text") or "" for each in answers]}
            for key, page in own
        ]
    return rows


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
