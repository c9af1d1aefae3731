import os
import subprocess
import sys

from telusur.pipeline.parsing.shared_block import BLOCK_BYTES, SharedBlock


def test_another_process_reads_what_was_put_in():
    block = SharedBlock.make()
    places = block.put([b"first", b"", b"\x00second\xff"])
    program = (
        "import sys; from telusur.pipeline.parsing.shared_block import SharedBlock;"
        f"block = SharedBlock({block.fd});"
        f"sys.stdout.buffer.write(b'|'.join(block.take(place) for place in {places!r}))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], pass_fds=[block.fd], capture_output=True, check=True
    )
    assert answer.stdout == b"first||\x00second\xff"
    block.close()


def test_what_does_not_fit_has_no_place_and_the_next_may_fit():
    block = SharedBlock.make()
    places = block.put([b"a" * 10, b"b" * BLOCK_BYTES, b"c"])
    assert places == [(0, 10), None, (10, 1)]
    assert block.take((10, 1)) == b"c"
    block.close()


def test_a_block_that_is_closed_leaves_nothing_open():
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        SharedBlock.make().close()
    assert len(os.listdir("/proc/self/fd")) == before
