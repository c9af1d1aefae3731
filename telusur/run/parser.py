"""The parser process: takes pages from standard input, gives documents to standard output.

It never touches the network, and ends when the process that started it does.
"""

import gc
import os
import signal
import sys
from typing import IO

from telusur.adapters.memory import return_free_memory, return_large_blocks
from telusur.run import wire
from telusur.run.parsing import HUGE_BYTES, PageParser, ParseJob
from telusur.run.shared_block import Place, SharedBlock

READY = "ready"


def main() -> None:
    """Serve batches of pages until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may write into the answers
    wire.widen(answers.fileno())  # a batch of answers in one go
    jobs = sys.stdin.buffer
    return_large_blocks()
    block = SharedBlock(int(sys.argv[1]))
    try:
        parser: PageParser = wire.receive(jobs)
        parser.warm_up()
        return_free_memory()
        gc.freeze()
        wire.send(answers, READY)
        while True:
            batch, places, scope = wire.receive(jobs)
            if scope is not None:
                parser.discovery.go_by(scope)
            _serve(parser, _take_batch(batch, places, block), answers)
            del batch
    except (EOFError, BrokenPipeError):
        return


def _take_batch(
    jobs: list[ParseJob], places: list[Place | None], block: SharedBlock
) -> list[ParseJob]:
    """Return the jobs with their bodies, which lie in the block as far as they fit."""
    return [
        job if place is None else job._replace(body=block.take(place))
        for job, place in zip(jobs, places, strict=True)
    ]


def _serve(parser: PageParser, batch: list[ParseJob], answers: IO[bytes]) -> None:
    """Parse a batch, and leave nothing of a huge page or a sitemap behind."""
    is_huge = sum(len(job.body) for job in batch) > HUGE_BYTES or any(job.sitemap for job in batch)
    batch.reverse()
    parsed = []
    while batch:  # nobody but the parser may hold on to a page
        parsed.append(parser.parse(batch.pop()))
    wire.send(answers, parsed)
    del parsed
    if is_huge:
        return_free_memory()


if __name__ == "__main__":
    main()
