"""Live control: a crawl answers `status`, `pause`, `resume`, `stop`, `limits` over a local socket.

A request is a line of JSON, `{"do": "pause"}` or `{"do": "limits", "pages": 100}`, and so is the
answer: `{"ok": true, "status": ...}` or `{"ok": false, "error": "one sentence"}`. A connection may
carry any number of them.
"""

import asyncio
import contextlib
import json
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

from telusur.adapters import control_socket
from telusur.errors import StorageError, UsageError
from telusur.run.limits import Limits, read_limits
from telusur.run.status import Status

LONGEST_REQUEST = 4096
IDLE_SECONDS = 30.0
"""How long a connection may say nothing."""


class Controllable(Protocol):
    """What can be watched and steered: a crawl."""

    def status(self) -> Status:
        """Return the counters."""
        ...

    def pause(self) -> None:
        """Start no request until resumed."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def stop(self) -> None:
        """Stop gracefully."""
        ...

    def limit(self, changes: Limits) -> None:
        """Go on under other limits."""
        ...


def obey(crawl: Controllable, line: bytes) -> dict[str, Any]:
    """Do what one request asks, and return the answer; nonsense gets a sentence."""
    try:
        request = dict(json.loads(line))
        wish = request.pop("do")
    except (ValueError, TypeError, KeyError, RecursionError):
        return {"ok": False, "error": 'A request is a line such as {"do": "status"}.'}
    if wish == "pause":
        crawl.pause()
    elif wish == "resume":
        crawl.resume()
    elif wish == "stop":
        crawl.stop()
    elif wish == "limits":
        try:
            crawl.limit(read_limits(request))
        except UsageError as error:
            return {"ok": False, "error": str(error)}
    elif wish != "status":
        return {"ok": False, "error": "Known are status, pause, resume, stop and limits."}
    return {"ok": True, "status": crawl.status().as_record()}


@contextlib.asynccontextmanager
async def answering(directory: Path, crawl: Controllable) -> AsyncIterator[None]:
    """Answer requests while the block runs; without a socket the crawl runs all the same."""
    try:
        listener = control_socket.listen(directory)
    except (StorageError, OSError) as error:
        logging.getLogger("telusur").warning("This crawl cannot be steered: %s", error)
        yield
        return
    talks: set[asyncio.Task[None]] = set()

    def welcome(reader: StreamReader, writer: StreamWriter) -> None:
        talk = asyncio.ensure_future(_talk(crawl, reader, writer))
        talks.add(talk)
        talk.add_done_callback(talks.discard)

    server = await asyncio.start_unix_server(welcome, sock=listener, limit=LONGEST_REQUEST)
    try:
        yield
    finally:
        server.close()
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        control_socket.remove(directory)


async def _talk(crawl: Controllable, reader: StreamReader, writer: StreamWriter) -> None:
    """Answer one connection until it ends, says nothing for long, or does not stop talking."""
    try:
        with contextlib.suppress(TimeoutError, ConnectionError, ValueError):
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    line = await reader.readline()
                    if not line.endswith(b"\n"):
                        return
                    writer.write(json.dumps(obey(crawl, line)).encode() + b"\n")
                    await writer.drain()
    finally:
        writer.close()
