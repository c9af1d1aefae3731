"""The parser process: reads pages from standard input, writes documents to standard output.

It never uses the network, and ends with its parent process.
"""

import gc
import os
import signal
import sys
from typing import IO

from telusur.machine.memory import FreedMemory, return_free_memory, return_large_blocks
from telusur.models import Reason
from telusur.pipeline.parsing import messages
from telusur.pipeline.parsing.jobs import ParseJob
from telusur.pipeline.parsing.page_parser import HUGE_BYTES, PageParser, Parsed
from telusur.pipeline.parsing.shared_block import Place, SharedBlock

READY = "ready"
MOST_REASON_CHARACTERS = 200


def main() -> None:
    """Serve batches of pages until the other end closes."""
    # Ctrl-C is meant for the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Nothing else may write to the pipe of the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # A batch of answers fits into the pipe.
    messages.widen(answers)
    jobs = sys.stdin.buffer
    return_large_blocks()
    block = SharedBlock(int(sys.argv[1]))
    try:
        parser: PageParser = messages.receive(jobs)
        parser.warm_up()
        return_free_memory()
        gc.freeze()
        messages.send(answers, READY)
        freed = FreedMemory()
        while True:
            batch, places, scope, records = messages.receive(jobs)
            if parser.sites is not None:
                parser.sites.take(records)
            if scope is not None:
                parser.discovery.go_by(scope)
            _serve(parser, _take_batch(batch, places, block), answers, block)
            del batch
            freed.give_back()
    except (EOFError, BrokenPipeError):
        return


def _take_batch(
    jobs: list[ParseJob], places: list[Place | None], block: SharedBlock
) -> list[ParseJob]:
    """Return the jobs with their bodies, taken from the shared block where they fit."""
    return [
        job if place is None else job._replace(body=block.take(place))
        for job, place in zip(jobs, places, strict=True)
    ]


def _serve(
    parser: PageParser, batch: list[ParseJob], answers: IO[bytes], block: SharedBlock
) -> None:
    """Parse a batch, and free the memory of a huge page or sitemap."""
    is_huge = sum(len(job.body) for job in batch) > HUGE_BYTES or any(job.sitemap for job in batch)
    batch.reverse()
    parsed = []
    # Pop each job, so that only the parser holds the page.
    while batch:
        parsed.append(_parse(parser, batch.pop()))
    messages.send(answers, parsed, block)
    del parsed
    if is_huge:
        return_free_memory()


def _parse(parser: PageParser, job: ParseJob) -> Parsed:
    """Parse one page; an error in our own code fails only this page."""
    try:
        return parser.parse(job)
    except Exception as error:
        reason = reason_for(error)
        print(f"{ascii(job.url)[1:-1]}: {reason}", file=sys.stderr, flush=True)
        # Its links are passed on when they are found again.
        parser.discovery.go_by(parser.discovery.scope)
        return Parsed(skip_reason=reason, scope_number=parser.discovery.scope.number)


def reason_for(error: Exception) -> str:
    """Return why a page failed, on one short line."""
    words = " ".join(str(error).split())[:MOST_REASON_CHARACTERS]
    what = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return f"{Reason.PARSER}: the page cannot be read ({ascii(what)[1:-1]})"


if __name__ == "__main__":
    main()
