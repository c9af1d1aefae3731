"""Answers requests to a running crawl over the socket of its collection."""

import asyncio
import contextlib
import json
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from pathlib import Path

from telusur.backends.files import control_socket
from telusur.errors import StorageError
from telusur.store.control import Obey

LONGEST_REQUEST = 4096
# How long a connection may be silent.
IDLE_SECONDS = 30.0


@contextlib.asynccontextmanager
async def answering(directory: Path, obey: Obey) -> AsyncIterator[None]:
    """Answer requests within the block; the crawl also runs without a socket."""
    try:
        listener = control_socket.listen(directory)
    except (StorageError, OSError) as error:
        logging.getLogger("telusur").warning("This crawl cannot be controlled: %s", error)
        yield
        return
    talks: set[asyncio.Task[None]] = set()

    def welcome(reader: StreamReader, writer: StreamWriter) -> None:
        talk = asyncio.ensure_future(_talk(obey, reader, writer))
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


async def _talk(obey: Obey, reader: StreamReader, writer: StreamWriter) -> None:
    """Answer one connection until it ends, is silent for too long, or sends too much."""
    try:
        with contextlib.suppress(TimeoutError, ConnectionError, ValueError):
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    line = await reader.readline()
                    if not line.endswith(b"\n"):
                        return
                    writer.write(json.dumps(obey(line)).encode() + b"\n")
                    await writer.drain()
    finally:
        writer.close()
