"""Standard input, output and error that are closed, full or broken."""

import contextlib
import errno
import io
import os
import re
import sys
from typing import Any

OUTPUT = "standard output"
LONGEST_SENTENCE = 1_000
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)
# C0 and C1 controls and bidirectional overrides: a crawled title must not control the terminal.
_UNSAFE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def printable(text: str) -> str:
    """Return text that is safe to print: one line, no terminal codes, no direction tricks."""
    return _UNSAFE.sub(" ", text).encode("utf-8", "replace").decode()


class _Output(io.FileIO):
    """Standard output whose errors carry its name."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, OUTPUT) from None


def open_standard_streams() -> None:
    """Open the streams that the caller closed, and mark errors of standard output as such.

    Otherwise the next file that is opened would take the number of a closed stream, and receive our
    output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(1, "w", closefd=False)),
        encoding=encoding,
        line_buffering=os.isatty(1),
    )
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def print_any_text() -> None:
    """Write question marks for characters that the user's encoding does not have."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def complain(sentence: str) -> None:
    """Write to standard error, in one line, why nothing was done."""
    text = printable(sentence.strip())
    if len(text) > LONGEST_SENTENCE:
        half = LONGEST_SENTENCE // 2
        text = f"{text[:half]} … {text[-half:]}"
    with contextlib.suppress(OSError):  # nobody can be told
        print(f"telusur: {text}", file=sys.stderr)


def sentence_about(error: OSError) -> str:
    """Return a sentence about a system error that nothing more specific handled."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.errno in _TOO_MANY_FILES:
        return f"{reason}: raise the limit with `ulimit -n`, or process fewer files at a time."
    if error.filename == OUTPUT:
        give_up_output()
        return f"The output cannot be written ({reason}); it is incomplete."
    if error.errno in _FULL:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{reason}: free some space, and run the same command again."
    return f"{error.filename}: {reason}." if error.filename else f"{reason}."


def give_up_output() -> None:
    """Discard the rest of the output, so that closing the stream does not fail at exit."""
    with contextlib.suppress(OSError, ValueError):  # a stream in a test has no file number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
