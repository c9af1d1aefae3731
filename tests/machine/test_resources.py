"""Memory of processes and space on disks, as the system tells them."""

import os
import subprocess
import sys

from telusur.machine.resources import free_bytes, resident_bytes


def test_memory_is_summed_over_processes_that_are_there():
    program = "block = bytearray(50_000_000); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        child.stdout.readline()
        alone = resident_bytes([child.pid])
        both = resident_bytes([child.pid, os.getpid()])
        child.communicate(b"\n")
    assert alone > 50_000_000
    assert both > alone
    assert resident_bytes([child.pid]) is None, "it has ended"


def test_free_space(tmp_path):
    assert free_bytes(tmp_path) > 0
    assert free_bytes(tmp_path / "nowhere") is None
