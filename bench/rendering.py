"""What a browser costs: draw stored pages without a network, and tell pages per second and memory.

    python bench/rendering.py DIRECTORY [PAGES]

DIRECTORY has HTML files, plain or gzipped, however deep.
"""

import gzip
import os
import statistics
import sys
import time
from pathlib import Path

from telusur.fetch.browser.processes import private_bytes
from telusur.fetch.browser.renderer import BrowserDesk


def read(path: Path) -> bytes:
    """Return a page as it was served."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def cpu_seconds(pids: list[int]) -> float:
    """Return what processes have used so far, with those they started that are over."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main(directory: str, most: str = "100") -> None:
    """Draw pages one after the other and print the figures."""
    found = sorted(path for path in Path(directory).rglob("*") if ".htm" in path.name)
    chosen = found[:: max(1, len(found) // int(most))][: int(most)]
    seconds, blocks, hidden, memory, failed = [], 0, 0, 0, []
    with BrowserDesk() as desk:
        desk.html("<p>warm")
        begun, worked = time.monotonic(), cpu_seconds([os.getpid(), *desk.pids()])
        for path in chosen:
            rendered = desk.html(read(path), f"http://{path.parent.name or 'page'}.example/")
            seconds.append(rendered.seconds)
            blocks += len(rendered.blocks)
            hidden += sum(block.is_hidden for block in rendered.blocks)
            memory = max(memory, private_bytes(desk.pids()))
            if not rendered.html:
                failed.append((path.name, rendered.reason))
        took = time.monotonic() - begun
        worked = cpu_seconds([os.getpid(), *desk.pids()]) - worked
    print(f"{len(chosen)} pages in {took:.0f} s: {len(chosen) / took:.2f} a second")
    print(f"a page: median {statistics.median(seconds):.2f} s, longest {max(seconds):.1f} s")
    print(f"CPU: {worked / len(chosen):.2f} s a page, of all processes")
    print(f"blocks: {blocks / len(chosen):.0f} a page, {hidden / max(1, blocks):.0%} hidden")
    print(f"memory of the browser: at most {memory / 1e6:.0f} MB")
    print(f"without a result: {len(failed)} {failed[:5]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
