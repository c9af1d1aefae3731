"""Starts and ends child processes, without leaving pipes behind."""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Collection, Sequence

# Bytes of a child's output that are buffered.
BUFFER_BYTES = 4_000_000
# numpy starts one spinning thread per core; our matrices are too small for two.
_ONE_THREAD = "OPENBLAS_NUM_THREADS"

# Ctrl-C, `timeout` and systemd signal all processes at once. They mean the parent, which still
# needs its children to finish gracefully. A child ends when its standard input closes.
_LAUNCH = (
    "import runpy, signal, sys;"
    "[signal.signal(one, signal.SIG_IGN) for one in (signal.SIGINT, signal.SIGTERM)];"
    "del sys.argv[0]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
)
# Our settings that contain credentials.
SECRETS_OF_SERVER = frozenset(("TELUSUR_PASSWORD", "TELUSUR_KEY"))
_SECRETS = SECRETS_OF_SERVER | {"TELUSUR_HEADER", "TELUSUR_PROXY"}


def environment_without(names: Collection[str] = _SECRETS) -> dict[str, str]:
    """Return the environment without credentials, for a process that does not need them."""
    return {name: value for name, value in os.environ.items() if name not in names}


async def start_child(
    module: str,
    *arguments: str,
    stdout: int | None = None,
    stderr: int | None = PIPE,
    pass_fds: Sequence[int] = (),
) -> Process:
    """Run one of our modules; its standard input is a pipe that closes when we are gone.

    Standard error is kept for `end_child`; with `stderr=None` it is shown instead.
    """
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            sys.executable,
            # Import no module from the working directory, which may belong to anybody.
            "-P",
            "-c",
            _LAUNCH,
            module,
            *arguments,
            stdin=PIPE,
            stdout=stdout,
            stderr=stderr,
            limit=BUFFER_BYTES,
            pass_fds=pass_fds,
            # Children read data from strangers; settings reach them through the pipe.
            env={_ONE_THREAD: "1", **environment_without()},
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # Cancelled during the start: end the child first.
        await end_child(await starting)
        raise


async def end_child(process: Process) -> str:
    """End a process if it still runs, close its pipes, and return its standard error."""
    ending = asyncio.ensure_future(_end(process))
    try:
        return await asyncio.shield(ending)
    except asyncio.CancelledError:
        # Cancelled: finish this first.
        await ending
        raise


async def _end(process: Process) -> str:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if process.stdin is not None:
        process.stdin.close()
    if process.stdout is not None:
        # Reading to the end closes the pipe.
        await process.stdout.read()
    words = await process.stderr.read() if process.stderr is not None else b""
    await process.wait()
    return words.decode(errors="replace").strip()
