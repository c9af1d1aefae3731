"""Crawl a hostile web with the real program and compare with what must happen.

    python bench/hostile.py DATA_DIR      # DATA_DIR/hostile has hostile_server.py and its cases

Prints a line for each case that went wrong, a table by group, and the memory of all processes
together. Exit code 1 when anything is wrong that `EXCUSED` does not explain.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile_rules import Aftermath, Case, Fate, complaints_about

from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_schema import connect
from telusur.crawl.urls import normalize_url

PORTS = 31
MOST_MEGABYTES = 300
MOST_BROWSER_MEGABYTES = 500
SECONDS = 240
"""A crawl that is not done by then has been caught in a trap."""

EXCUSED: dict[str, str] = {
    "chunked-long-extension": "libcurl skips the extension unread; the page itself is right",
}
"""Cases that may go wrong, by id, with the reason."""


@dataclass(slots=True, frozen=True)
class Round:
    """One crawl over some groups of cases; the server forgets between two rounds."""

    name: str
    groups: tuple[str, ...] = ()


# Addresses only: a name would be asked for in the DNS, and nothing may leave this machine.
_ADDRESSES = r"^https?://(localhost\.?|[0-9.]+|\[[^\]]*\])[:/]"
ROUNDS = (
    Round("patience", ("slow", "endless", "tls", "robots")),
    Round("politeness", ("politeness",)),
    Round("addresses", ("ssrf",)),
    Round("xml", ("xml",)),
    Round("traps", ("trap",)),
    Round("pages"),
)


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


@dataclass(slots=True)
class Memory:
    """The most megabytes that the crawl's own processes took, and the browser that it started.

    Processes of a browser share most of what they have, which is then counted once.
    """

    own: float = 0.0
    browser: float = 0.0


class MemoryWatch:
    """Notes the largest memory of a process and its children together."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._most = Memory()
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.1):
            family = _family_of(self._pid)
            browser = [pid for pid in family if _is_browser(pid)]
            pages = sum(_resident_pages(pid) for pid in set(family).difference(browser))
            own = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
            self._most.own = max(self._most.own, own)
            self._most.browser = max(self._most.browser, sum(map(_share_of_memory, browser)))

    def end(self) -> Memory:
        """Stop watching; return what was noted."""
        self._ended.set()
        self._thread.join()
        return self._most


def _is_browser(pid: int) -> bool:
    """Tell whether a process is Chromium or the driver that steers it."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith(("chrom", "node", "MainThread"))
    except OSError:
        return False


def _share_of_memory(pid: int) -> float:
    """Return the megabytes of a process, with its share of what it has in common with others."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1000 for row in text.split("\n") if row[:4] == "Pss:"), 0.0)


def _family_of(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(member for child in children for member in _family_of(int(child)))]


def _resident_pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0


def crawl(cases: list[Case], port: int, directory: Path) -> Memory:
    """Crawl some cases into `directory`; return the memory that took."""
    urls = directory.with_suffix(".txt")
    urls.write_text("".join(f"{case['url']}\n" for case in cases))
    ports = sorted({port, *(port + case.get("port_offset", 0) for case in cases)})
    allowed = [word for one in ports for word in ("--allow-address", f"127.0.0.1:{one}")]
    command = [
        *_program("crawl", "--to", str(directory), "--urls-from", str(urls), "--json"), *allowed,
        "--delay", "0", "--per-host", "8", "--fair", "none", "--seconds", str(SECONDS),
        "--scope", "any", "--include", _ADDRESSES,
    ]  # fmt: skip
    log = directory.with_suffix(".log")
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        watch = MemoryWatch(process.pid)
        code = process.wait()
        memory = watch.end()
    if code not in (0, 1):
        raise SystemExit(f"The crawl ended with {code}:\n{log.read_text()[-3000:]}")
    return memory


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
        """Note what is wrong with a whole round."""
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


def run_round(the_round: Round, cases: list[Case], port: int, place: Path, report: Report) -> None:
    """Crawl one round and judge its cases."""
    ask(port, "/_reset")
    started = time.monotonic()
    directory = place / the_round.name
    memory = crawl(cases, port, directory)
    seconds = time.monotonic() - started
    stats = json.loads(ask(port, "/_stats.json"))
    after = Aftermath(fates_of(directory, cases), **stats, port=port)
    print(
        f"# {the_round.name}: {len(cases)} cases, {len(after.fates)} URLs, "
        f"{sum(after.hits.values())} requests, {seconds:.0f} s, "
        f"{memory.own:.0f} MB, and {memory.browser:.0f} MB for the browser"
    )
    for case in cases:
        report.add(case, complaints_about(case, after))
    if after.canary:
        report.fail(f"{the_round.name}: the canary was hit: {after.canary}")
    for megabytes, most, whose in (
        (memory.own, MOST_MEGABYTES, "memory"),
        (memory.browser, MOST_BROWSER_MEGABYTES, "the browser's memory"),
    ):
        if megabytes > most:
            report.fail(f"{the_round.name}: {megabytes:.0f} MB of {whose}, at most {most}")
    if seconds > SECONDS:
        report.fail(f"{the_round.name}: did not end by itself within {SECONDS} s")


def main(data_dir: str, *names: str) -> int:
    """Run all rounds, or those named; return the exit code."""
    report = Report()
    with (
        serving(Path(data_dir) / "hostile" / "hostile_server.py") as port,
        tempfile.TemporaryDirectory(prefix="hostile-") as place,
    ):
        left: list[Case] = json.loads(ask(port, "/expected.json"))["cases"]
        for the_round in ROUNDS:
            cases = [case for case in left if case["group"] in the_round.groups] or left
            left = [case for case in left if case not in cases]
            if not names or the_round.name in names:
                run_round(the_round, cases, port, Path(place), report)
    report.show()
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
