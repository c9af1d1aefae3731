"""Print how many feeds and sitemaps are read as expected: `conformance_feeds.py DATA_DIR`.

DATA_DIR/feeds holds `feed_cases.jsonl` (`content` in base64, `where`, `key`, `expected`),
DATA_DIR/sitemaps `sitemap_cases.jsonl` (`content`, `content_type`, `expected` with `kind`, `urls`).
Exit code 1 when a case differs without a listed reason.
"""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from telusur.extract.feed.parsing import parse_feed
from telusur.extract.sitemap import read_sitemap

Case = dict[str, Any]
# Where the cases have relative addresses, they were served from here.
SERVED_AT = "http://127.0.0.1:8097/"
HEADER_SAYS = "http://example.com/"
# The names of these facts with us. A text may be the summary or the content of an entry.
NAMES = {
    "feed": {"link": ("url",), "description": ("subtitle",)},
    "entry0": {"link": ("url",), "description": ("summary", "content")},
}
# What we accept on purpose although a strict reader refuses it, by the name of the case.
ACCEPTED = {
    "testSitemapWithWrongNamespace": "another namespace",
    "testSitemapParserBrokenXml": "an element without an end",
    "testLenientParser": "a sitemap in a folder that names pages above it",
}


def main(directory: str) -> int:
    """Run every case; list those that differ."""
    data = Path(directory)
    failures = _show("feeds", list(_feed_failures(data / "feeds" / "feed_cases.jsonl")))
    return failures + _show(
        "sitemaps", list(_sitemap_failures(data / "sitemaps" / "sitemap_cases.jsonl"))
    )


def _cases(path: Path) -> Iterator[Case]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _show(name: str, results: list[tuple[str, str]]) -> int:
    """Print what differs and how many are right; return 1 if something differs without a reason."""
    different = [(case, reason) for case, reason in results if case]
    for case, reason in different:
        print(f"{case}: {reason or 'NO REASON LISTED'}")
    right = len(results) - len(different)
    print(f"{name}: {right} of {len(results)} ({right / len(results):.1%})")
    return int(any(not reason for _, reason in different))


def _feed_failures(path: Path) -> Iterator[tuple[str, str]]:
    """Yield an empty text for each case that is right, and the others with our answer."""
    for case in _cases(path):
        is_by_header = "content_location" in case["file"] and "unsafe" not in case["file"]
        feed = parse_feed(
            base64.b64decode(case["content"]), HEADER_SAYS if is_by_header else SERVED_AT
        )
        about: Any = feed if case["where"] == "feed" else next(iter(feed.entries), None)
        names = NAMES[case["where"]].get(case["key"], (case["key"],))
        ours = [getattr(about, name, "") for name in names]
        is_right = case["expected"] in ours
        yield ("", "") if is_right else (f"{case['file']}: {case['key']} is {ours}", "")


def _sitemap_failures(path: Path) -> Iterator[tuple[str, str]]:
    for case in _cases(path):
        found = read_sitemap(
            base64.b64decode(case["content"]), content_type=case.get("content_type") or ""
        )
        urls = [entry.url for entry in found.entries] if found else []
        is_safe = case["expected"]["kind"] == "safe"
        is_right = is_safe or sorted(urls) == sorted(case["expected"]["urls"])
        reason = next((why for name, why in ACCEPTED.items() if name in case["name"]), "")
        yield ("", "") if is_right else (f"{case['name']}: {urls[:3]}", reason)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
