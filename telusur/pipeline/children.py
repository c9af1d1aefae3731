"""Child processes: started whole or not at all, ended without leaving pipes behind."""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

BUFFER_BYTES = 4_000_000
"""What a child says is taken in without waiting, up to this much."""
_ONE_THREAD = "OPENBLAS_NUM_THREADS"
"""numpy starts a thread for each core, which spin for work: our matrices are too small for two."""


async def start_child(
    module: str,
    *arguments: str,
    stdout: int | None = None,
    stderr: int | None = PIPE,
    pass_fds: Sequence[int] = (),
) -> Process:
    """Run one of our modules; its standard input is a pipe, which tells it when we are gone.

    What it complains about is kept for `end_child`, unless `stderr` is None: then it is seen.
    """
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            *arguments,
            stdin=PIPE,
            stdout=stdout,
            stderr=stderr,
            limit=BUFFER_BYTES,
            pass_fds=pass_fds,
            env={_ONE_THREAD: "1", **os.environ},
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:  # asked to stop just now: do not leave it behind
        await end_child(await starting)
        raise


async def end_child(process: Process) -> str:
    """End a process if it still runs, close its pipes, and return what it complained about."""
    ending = asyncio.ensure_future(_end(process))
    try:
        return await asyncio.shield(ending)
    except asyncio.CancelledError:  # asked to stop just now: finish this first
        await ending
        raise


async def _end(process: Process) -> str:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if process.stdin is not None:
        process.stdin.close()
    if process.stdout is not None:
        await process.stdout.read()  # to the end, which closes the pipe
    words = await process.stderr.read() if process.stderr is not None else b""
    await process.wait()
    return words.decode(errors="replace").strip()
