"""The parser process: takes pages from standard input, gives documents to standard output.

It never touches the network, and ends when the process that started it does.
"""

import gc
import os
import signal
import sys

from telusur.run import wire
from telusur.run.parsing import PageParser

READY = "ready"


def main() -> None:
    """Serve batches of pages until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may write into the answers
    jobs = sys.stdin.buffer
    try:
        parser: PageParser = wire.receive(jobs)
        parser.warm_up()
        gc.freeze()
        wire.send(answers, READY)
        while True:
            wire.send(answers, [parser.parse(job) for job in wire.receive(jobs)])
    except (EOFError, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
