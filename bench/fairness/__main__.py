"""Is the crawl fair and polite? Real sites on loopback, judged by their own log.

    python bench/fairness [politeness] [delay] [shares]

politeness: twelve hosts with every sort of delay; the log must show no violation.
delay:      a hundred sites, one with Crawl-delay 30; the other 99 must be through before its
            fourth page. How long they take beside it is printed.
shares:     three sites of 20,000, 2,000 and 1,500 pages that answer in 5, 50 and 200 ms; after
            3,000 pages each must have a third, give or take two percentage points.

Nothing is judged by seconds, so that a busy machine fails nothing. A host that keeps us waiting for
more than a second holds nobody back, and other programs may make any host do that: so shares have
three tries.
"""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rules import shares, violations
from web import Site, Web, serving

TELUSUR = Path(sys.executable).with_name("telusur")
PLAIN = ("--allow-private", "--content", "text", "--no-index", "--no-traps", "--workers", "1")
# A crawl that waits for the slow site has this many pages of it long before the others' last.
PAGES_TOO_LATE = 4
TRIES = 3


def crawl(web: Web, *flags: str, until: Callable[[], bool] = lambda: False) -> float:
    """Crawl all sites, until the crawl ends or `until` says so; return the seconds."""
    with tempfile.TemporaryDirectory() as directory:
        command = [str(TELUSUR), "crawl", *web.urls(), "--to", directory, *PLAIN, *flags]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
            started = time.monotonic()
            while run.poll() is None and not until():
                time.sleep(0.05)
            seconds = time.monotonic() - started
            if run.poll() is None:
                run.send_signal(signal.SIGINT)
            _, words = run.communicate()
        if run.returncode:
            sys.exit(f"The crawl failed with exit code {run.returncode}:\n{words.decode()}")
    return seconds


# Politeness


def polite_sites() -> list[tuple[Site, float]]:
    """Return twelve hosts, each with the seconds its robots.txt asks for."""
    every = "User-agent: *\n"
    return [
        (Site("plain.localhost", 60), 0.0),
        (Site("second.localhost", 60, robots=f"{every}Crawl-delay: 1"), 1.0),
        (Site("fraction.localhost", 60, robots=f"{every}Crawl-delay: 0.7"), 0.7),
        (Site("rate.localhost", 60, robots=f"{every}Request-rate: 2/1"), 0.5),
        (Site("minute.localhost", 60, robots=f"{every}Request-rate: 30/1m"), 2.0),
        (Site("both.localhost", 60, robots=f"{every}Crawl-delay: 1\nRequest-rate: 1/3"), 3.0),
        (Site("later.localhost", 60, complains=4, status=503, retry_after=2), 0.0),
        (Site("toomany.localhost", 60, complains=3, status=429, retry_after=1), 0.0),
        (Site("silent.localhost", 60, complains=3, status=429), 0.0),
        (Site("slow.localhost", 60, seconds=0.6), 0.0),
        (Site("moved.localhost", 60, robots_at="http://plain.localhost:PORT/robots2"), 0.0),
        (Site("broken.localhost", 60, robots_failures=2, robots_at="/robots3"), 0.0),
    ]


def politeness() -> bool:
    """Crawl the twelve hosts with several settings; print the violations."""
    found = []
    for flags, own in ((("--delay", "0"), 0.0), (("--delay", "0.3"), 0.3), ((), 1.0)):
        with serving(site for site, _ in polite_sites()) as web:
            crawl(web, *flags, "--seconds", "30")
            for site, asked in polite_sites():
                grows = own == 1.0
                found += violations(web.log, site, max(own, asked), grows=grows)
            words = " ".join(flags) or "default delay"
            print(f"politeness, {words}: {len(web.log)} requests to 12 hosts in 30 s")
    for violation in found[:20]:
        print(f"  {violation}")
    print(f"politeness: {len(found)} violations: {'PASSED' if not found else 'FAILED'}")
    return not found


# One slow site among many


def delay() -> bool:
    """Tell whether 99 sites wait for a hundredth that wants 30 seconds between its pages."""
    quick = [Site(f"quick{number}.localhost", 25) for number in range(99)]
    slow = Site("slow.localhost", 40, robots="User-agent: *\nCrawl-delay: 30")
    alone, beside = _crawl_quick(quick, [*quick]), _crawl_quick(quick, [slow, *quick])
    is_fine = beside.is_over
    print(
        f"delay: 99 sites of 25 pages took {alone.seconds:.1f} s, beside one with Crawl-delay 30 "
        f"{beside.seconds:.1f} s, ratio {beside.seconds / alone.seconds:.2f}; it had "
        f"{beside.others} pages by then: {'PASSED' if is_fine else 'FAILED'}"
    )
    return is_fine


@dataclass(frozen=True)
class QuickSites:
    """How quick sites fared: whether all had all their pages, when, and what others had by then."""

    is_over: bool
    seconds: float
    others: int


def _crawl_quick(quick: list[Site], sites: list[Site]) -> QuickSites:
    names = {site.name for site in quick}
    wanted = sum(site.pages for site in quick)
    with serving(sites) as web:

        def fare() -> QuickSites:
            # One look at the log: it grows while we read it.
            pages = [one for one in list(web.log) if "robots" not in one.path]
            times = [one.start for one in pages if one.host in names]
            seconds = max(times) - min(times) if times else 0.0
            return QuickSites(len(times) >= wanted, seconds, len(pages) - len(times))

        crawl(web, "--delay", "0.5", until=lambda: _is_decided(fare()))
        return fare()


def _is_decided(fared: QuickSites) -> bool:
    return fared.is_over or fared.others >= PAGES_TOO_LATE


# Shares


def fair_shares() -> bool:
    """Crawl three unequal sites until they had equal shares, a few times at most."""
    return any(_have_fair_shares() for _ in range(TRIES))


def _have_fair_shares() -> bool:
    """Crawl three unequal sites; print what each had of the first 3,000 pages."""
    sites = [
        Site("huge.localhost", 20_000, seconds=0.005),
        Site("middle.localhost", 2_000, seconds=0.05),
        Site("small.localhost", 1_500, seconds=0.2),
    ]
    with serving(sites) as web:
        seconds = crawl(web, "--delay", "0", "--per-host", "8", "--pages", "3000")
        parts = shares(web.log, [site.name for site in sites])
    worst = max(abs(part - 1 / 3) for part in parts.values())
    told = ", ".join(f"{name} {part:.1%}" for name, part in parts.items())
    is_fine = worst <= 0.02
    print(f"shares: {told} of 3,000 pages in {seconds:.0f} s: {'PASSED' if is_fine else 'FAILED'}")
    return is_fine


PARTS = {"politeness": politeness, "delay": delay, "shares": fair_shares}


def main(names: list[str]) -> int:
    """Run the parts asked for, or all of them."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no part {unknown[0]!r}; choose of {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    verdicts = [PARTS[name]() for name in names or PARTS]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
