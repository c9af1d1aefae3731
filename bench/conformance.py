"""How far robots.txt rules and URLs are read as the standards say: `conformance.py DATA_DIR`.

Prints a table and every case that fails without a listed reason; exit 1 if there is one.
"""

import base64
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from telusur.crawl.rules.robots import Robots
from telusur.crawl.urls.identity import INDEX_PAGES, host_of, normalize_url, parse_url

Case = dict[str, Any]


def read_cases(path: Path) -> Iterator[Case]:
    """Give the cases of a JSON lines file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


# Where we answer differently from a test suite on purpose. Each predicate sees the case, our
# answer and the expected one, and is true only if the difference is exactly the one it names.


def _without_index_page(url: str) -> str:
    head, slash, name = url.removesuffix("?").rpartition("/")
    return f"{head}{slash}" if name in INDEX_PAGES else url


def _folded(url: str) -> str:
    return url.lower().replace("://www.", "://").rstrip("/")


def _unquoted(text: str) -> str:
    while (shorter := unquote(text)) != text:
        text = shorter
    return text.rstrip("=")


def _parameters(url: str) -> tuple[str, list[str]]:
    path, _, query = url.partition("?")
    return path, sorted(query.split("&"))


Predicate = Callable[[Case, str, str], bool]
REASONS: dict[str, Predicate] = {
    "SURT keys are not offered": lambda case, ours, wanted: case["kind"] == "surt",
    "only http and https URLs with a host are fetched": lambda case, ours, wanted: (
        not ours and (not wanted.startswith(("http://", "https://")) or case["input"][:2] == "//")
    ),
    "an empty label or one that IDNA refuses is no host": lambda case, ours, wanted: (
        not ours
        and (
            ".." in host_of(case["input"])
            or "://." in case["input"]
            or ("://xn--" in case["input"] and not case["input"].isascii())
        )
    ),
    "names and passwords are not sent": lambda case, ours, wanted: (
        "@" in wanted and ours == parse_url(wanted)
    ),
    "the fragment never reaches the server": lambda case, ours, wanted: (
        "#" in wanted and ours == wanted.partition("#")[0]
    ),
    "host names are kept in ASCII": lambda case, ours, wanted: (
        not wanted.isascii() and ours == parse_url(wanted)
    ),
    "an index page is its directory": lambda case, ours, wanted: (
        ours == _without_index_page(wanted) != wanted
    ),
    "an empty path is written as /": lambda case, ours, wanted: ours == wanted + "/",
    "an empty query is no query": lambda case, ours, wanted: ours + "?" == wanted,
    "parameters are sorted": lambda case, ours, wanted: _parameters(ours) == _parameters(wanted),
    "www., case of paths and a slash at the end may tell pages apart": lambda case, ours, wanted: (
        "/IAURL" in case["source"] and _folded(ours) == _folded(wanted)
    ),
    "reserved characters stay as written, escapes are read once": lambda case, ours, wanted: (
        _unquoted(ours) == _unquoted(wanted)
    ),
    "only the white space of the URL standard is trimmed": lambda case, ours, wanted: any(
        space in case["input"] for space in "\u2028\u2029"
    ),
    "a query is always sent in UTF-8": lambda case, ours, wanted: (
        case.get("encoding", "utf-8") != "utf-8"
    ),
}


def _drop_what_is_not_fetched(url: str | None) -> str | None:
    """Return an expected URL as a request needs it: http(s), no fragment, no user name."""
    if url is None or not url.startswith(("http://", "https://")):
        return None
    scheme, _, rest = url.partition("#")[0].partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def _ask(case: Case) -> tuple[str | None, str | None]:
    """Return our answer and the expected one."""
    kind, given, wanted = case["kind"], case["input"], case["expected"]
    if kind == "surt":
        return None, wanted
    if kind == "whatwg-parse":
        return parse_url(given, case.get("base")), _drop_what_is_not_fetched(wanted)
    if kind == "resolve":
        return parse_url(given, case["base"]), parse_url(wanted)
    if kind == "toascii":
        return parse_url(f"https://{given}/"), f"https://{wanted}/" if wanted else None
    if kind == "percent-encode-query":
        return parse_url(f"http://x/?{given}"), f"http://x/?{wanted}"
    if kind == "strip-session":
        return normalize_url(given), wanted.removesuffix("?")
    return normalize_url(given, case.get("base")), wanted


class Table:
    """Counts of right, excused and wrong answers by set of cases."""

    def __init__(self) -> None:
        self.rows: dict[str, Counter[str]] = defaultdict(Counter)
        self.reasons: Counter[str] = Counter()
        self.failures: list[str] = []

    def add(self, row: str, is_right: bool, reason: str = "", failure: str = "") -> None:
        """Count one case; a failure without a reason is remembered when it has a text."""
        outcome = "right" if is_right else "excused" if reason else "wrong"
        self.rows[row][outcome] += 1
        if outcome == "excused":
            self.reasons[reason] += 1
        if outcome == "wrong" and failure:
            self.failures.append(f"{row}: {failure}")

    def show(self) -> None:
        """Print everything."""
        print(f"{'set':<74}{'cases':>7}{'right':>7}{'excused':>9}{'wrong':>7}")
        for name, row in self.rows.items():
            counts = [row.total(), row["right"], row["excused"], row["wrong"]]
            print(f"{name:<74}{counts[0]:>7}{counts[1]:>7}{counts[2]:>9}{counts[3]:>7}")
        print("\nexcused:")
        for reason, count in self.reasons.most_common():
            print(f"{count:>5}  {reason}")
        for failure in self.failures:
            print("FAILED", failure)


def check_urls(path: Path, table: Table) -> None:
    """Count the URL cases."""
    for case in read_cases(path):
        ours, wanted = _ask(case)
        reason = next(
            (why for why, holds in REASONS.items() if holds(case, ours or "", wanted or "")), ""
        )
        failure = f"{case['input']!r} gave {ours!r}, not {wanted!r}"
        table.add(f"{case['kind']} {case['source']}", ours == wanted, reason, failure)


def check_robots(directory: Path, table: Table) -> None:
    """Count the robots.txt cases; only those marked core must all be right."""
    for case in read_cases(directory / "robots_cases.jsonl"):
        robots = Robots.parse(base64.b64decode(case["robots_txt"]))
        allowed = robots.allows(case["url"], case["user_agent"])
        failure = f"{case['name']} {case['user_agent']} {case['url']}: {allowed}"
        if case["core"]:
            table.add("robots core", allowed == case["allowed"], failure=failure)
        table.add("robots, dialects included (no bar)", allowed == case["allowed"])
        table.add("robots, Google's matcher (no bar)", allowed == case["google_oracle"])
    for case in read_cases(directory / "robots_meta_cases.jsonl"):
        data = base64.b64decode(case["robots_txt"])
        robots = Robots.parse(data, "http://domain.com/robots.txt")
        delay = robots.crawl_delay(case["user_agent"])
        ours = robots.sitemaps if case["kind"] == "sitemaps" else delay
        failure = f"{case['name']}: {ours!r}, not {case['value']!r}"
        table.add(f"robots {case['kind']}", ours == case["value"], failure=failure)


def main(data_dir: str) -> int:
    """Run all cases under `data_dir`; return the exit code."""
    table = Table()
    check_robots(Path(data_dir) / "robots", table)
    check_urls(Path(data_dir) / "urls" / "url_cases.jsonl", table)
    table.show()
    return 1 if table.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
