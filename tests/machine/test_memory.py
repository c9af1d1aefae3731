import subprocess
import sys

PROGRAM = """
from pathlib import Path
from resource import getpagesize
from telusur.machine.memory import FreedMemory, return_large_blocks

def in_use():
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * getpagesize()

return_large_blocks()
now = 0.0
freed = FreedMemory(lambda: now)
# Too large for Python's own small blocks; every fiftieth stays in use.
held = [bytes(2000) for _ in range(20_000)]
full = in_use()
held = held[::50]
freed.give_back()
early = in_use()
now = 100.0
freed.give_back()
print(full - early, early - in_use())
"""


def test_freed_pieces_between_used_ones_are_returned_when_it_is_due():
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True
    )
    before_due, when_due = ran.stdout.split()
    assert int(before_due) < 5_000_000
    assert int(when_due) > 20_000_000
