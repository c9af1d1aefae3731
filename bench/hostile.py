"""Crawl a hostile web as any user would, and compare with what must happen.

    python bench/hostile.py DATA_DIR      # DATA_DIR/hostile has hostile_server.py and its cases

All cases are start URLs of one crawl with the settings that everybody has: nothing is given but
`--allow-private --delay 0 --scope host`. Prints a line for each case that went wrong, a table by
group, when the last case was asked for first, how long the crawl took and what memory. Exit code 1
when anything is wrong that `EXCUSED` does not explain.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile_rules import Aftermath, Case, Fate, complaints_about
from hostile_watch import HitsWatch, Memory, MemoryWatch

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.database.schema import connect
from telusur.crawl.urls.identity import normalize_url

PORTS = 31
MOST_MEGABYTES = 300
MOST_BROWSER_MEGABYTES = 500
# By then every case was asked for once.
FIRST_SECONDS = 8 * 60
# By then the crawl has ended by itself.
END_SECONDS = 12 * 60
# A crawl that is not done by then is stopped, to be judged as it is.
PATIENCE_SECONDS = 2 * END_SECONDS
SETTINGS = ("--allow-private", "--delay", "0", "--scope", "host")

# Cases that may go wrong, by id, with the reason.
EXCUSED: dict[str, str] = {
    "chunked-long-extension": "libcurl skips the extension unread; the page itself is right",
}
# Names of files that a page or an archive of the hostile web would like to make somewhere.
ESCAPES = ("pwn", "pwn.html", "zipslip.txt", "zipslip-abs.txt", "x.txt", "link", "good.txt")


@contextmanager
def serving(program: Path) -> Iterator[int]:
    """Run the hostile server on free ports; give its first port."""
    port = _free_ports()
    command = [sys.executable, str(program), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            yield port
        finally:
            server.terminate()


def _free_ports() -> int:
    for first in range(18_800, 30_000, 100):
        if all(_is_free(first + offset) for offset in range(PORTS)):
            return first
    raise SystemExit("There are not enough free ports in a row.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            ask(port, "/_stats.json")
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("The hostile server does not start.")


def ask(port: int, path: str) -> bytes:
    """Return what the server itself has to say."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        body: bytes = answer.read()
    return body


@dataclass(slots=True, frozen=True)
class Course:
    """How a crawl went: how long it took, its memory, and when what was first asked for."""

    seconds: float
    memory: Memory
    first: dict[str, float]
    started_at: float


def crawl(cases: list[Case], port: int, place: Path) -> Course:
    """Crawl all cases into `place`/collection, from a working directory of its own."""
    urls, log, home = place / "urls.txt", place / "crawl.log", place / "home"
    urls.write_text("".join(f"{case['url']}\n" for case in cases))
    home.mkdir()
    command = _program("crawl", "--urls-from", str(urls), "--to", str(place / "collection"))
    started_at = time.time()
    with (
        log.open("wb") as file,
        subprocess.Popen([*command, *SETTINGS], stdout=file, stderr=file, cwd=home) as process,
    ):
        memory = MemoryWatch(process.pid)
        hits = HitsWatch(lambda: json.loads(ask(port, "/_stats.json"))["hits"])
        try:
            code = process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            code = process.wait(120)
        seconds = time.time() - started_at
        hits.end()
        memory.end()
    if code not in (0, 1):
        raise SystemExit(f"The crawl ended with {code}:\n{log.read_text()[-3000:]}")
    print(log.read_text()[-2000:])
    return Course(seconds, memory.most, hits.first, started_at)


def _program(*words: str) -> list[str]:
    return [str(Path(sys.executable).with_name("telusur")), *words]


def _export(directory: Path, form: str) -> Iterator[dict[str, Any]]:
    command = _program("export", "--in", str(directory), "--format", form)
    output = subprocess.run(command, capture_output=True, check=False).stdout
    return (json.loads(line) for line in output.splitlines())


def fates_of(directory: Path, cases: list[Case]) -> dict[str, Fate]:
    """Return how all URLs of a collection ended; the cases under the spelling they have there."""
    fates = {row["url"]: Fate(row["state"], row["reason"]) for row in _export(directory, "urls")}
    for page in _export(directory, "jsonl"):
        fates[page["url"]].status = page["status"]
        fates[page["url"]].text = f"{page['title']}\n{page['text']}".strip()
    connection = connect(directory, read_only=True)
    catalogue = SqliteCatalogue(connection)
    rows = connection.execute(
        "SELECT urls.url, urls.url_id, max(truncated) FROM pages JOIN urls USING (url_id)"
        " GROUP BY urls.url_id"
    ).fetchall()
    for url, url_id, truncated in rows:
        fates[url].truncated = bool(truncated)
        fates[url].links = len(catalogue.links_of(url_id))
    for url, changed_at in connection.execute("SELECT url, changed_at FROM urls").fetchall():
        fates[url].ended_at = changed_at
    connection.close()
    by_key = {normalize_url(url): fate for url, fate in fates.items()}
    return fates | {
        case["url"]: by_key[key] for case in cases if (key := normalize_url(case["url"])) in by_key
    }


class Report:
    """Counts of right, excused and wrong cases by group."""

    def __init__(self) -> None:
        self._groups: dict[str, Counter[str]] = defaultdict(Counter)
        self.failures = 0

    def add(self, case: Case, complaints: list[str]) -> None:
        """Count one case, and say at once what is wrong with it."""
        outcome = "right"
        if complaints:
            outcome = "excused" if case["id"] in EXCUSED else "wrong"
            note = f" [excused: {EXCUSED[case['id']]}]" if outcome == "excused" else ""
            wanted = f"{case['expect']}: {case['what']}"
            print(f"{outcome.upper()} {case['id']} ({wanted}): {'; '.join(complaints)}{note}")
        self._groups[case["group"]][outcome] += 1
        self.failures += outcome == "wrong"

    def fail(self, words: str) -> None:
        """Note what is wrong with the whole crawl."""
        print("WRONG", words)
        self.failures += 1

    def show(self) -> None:
        """Print the table."""
        print(f"\n{'group':<16}{'cases':>7}{'right':>7}{'excused':>9}{'wrong':>7}")
        total: Counter[str] = Counter()
        for name, row in [*sorted(self._groups.items()), ("all", total)]:
            counts = f"{row.total():>7}{row['right']:>7}{row['excused']:>9}{row['wrong']:>7}"
            print(f"{name:<16}{counts}")
            total.update(row)


def first_asked(case: Case, course: Course, fate: Fate, port: int) -> float | None:
    """Return after how many seconds a case was first asked for, at least for its robots.txt.

    Where the server cannot tell, for TLS broke off, it is when the URL ended.
    """
    offset = case.get("port_offset")
    if not offset:
        return course.first.get(str(case["path"]).partition("?")[0])
    mark = f":{port + offset}"
    times = [at for name, at in course.first.items() if name.startswith(mark)]
    if not times and case["group"] == "tls" and fate.ended_at:
        return fate.ended_at - course.started_at
    return min(times, default=None)


def judge(cases: list[Case], course: Course, port: int, place: Path, report: Report) -> None:
    """Judge every case, and the crawl as a whole."""
    stats = json.loads(ask(port, "/_stats.json"))
    after = Aftermath(fates_of(place / "collection", cases), **stats, port=port)
    asked = {}
    for case in cases:
        complaints = complaints_about(case, after)
        at = first_asked(case, course, after.fate(case["url"]), port)
        asked[case["id"]] = float("inf") if at is None else at
        report.add(case, complaints if at is not None else [*complaints, "was never asked for"])
    last = max(asked, key=lambda name: asked[name])
    memory = course.memory
    print(
        f"\n{len(after.fates)} URLs, {sum(after.hits.values())} requests, every case asked for "
        f"after {asked[last]:.0f} s (last: {last}), all over after {course.seconds:.0f} s; "
        f"{memory.own:.0f} MB, with its browser {memory.all:.0f} MB, load {os.getloadavg()[1]:.1f}"
    )
    if asked[last] > FIRST_SECONDS:
        report.fail(f"{last} was first asked for after {asked[last]:.0f} s, not {FIRST_SECONDS}")
    if course.seconds > END_SECONDS:
        report.fail(f"the crawl took {course.seconds:.0f} s, not {END_SECONDS}")
    if after.canary:
        report.fail(f"the canary was hit: {after.canary}")
    for megabytes, most, whose in (
        (memory.own, MOST_MEGABYTES, "memory"),
        (memory.browser, MOST_BROWSER_MEGABYTES, "the browser's memory"),
    ):
        if megabytes > most:
            report.fail(f"{megabytes:.0f} MB of {whose}, at most {most}")
    for path in escaped(place):
        report.fail(f"{path} was made outside the collection")


def escaped(place: Path) -> list[Path]:
    """Return files that the crawl made outside its collection."""
    known = {place / name for name in ("urls.txt", "crawl.log", "home", "collection")}
    strays = [path for path in place.iterdir() if path not in known] + [*(place / "home").iterdir()]
    outside = (Path("/"), Path("/tmp"), place.parent)
    return strays + [path / name for path in outside for name in ESCAPES if (path / name).exists()]


def main(data_dir: str) -> int:
    """Crawl all cases at once and judge; return the exit code."""
    report = Report()
    with (
        serving(Path(data_dir) / "hostile" / "hostile_server.py") as port,
        tempfile.TemporaryDirectory(prefix="hostile-") as name,
    ):
        place = Path(name)
        cases: list[Case] = json.loads(ask(port, "/expected.json"))["cases"]
        ask(port, "/_reset")
        judge(cases, crawl(cases, port, place), port, place, report)
    report.show()
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
