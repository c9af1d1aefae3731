"""Loopback sites of any size and speed behind one port, and the log of what they were asked."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

LINKS = 20


@dataclass(frozen=True)
class Site:
    """One site: how many pages, how fast, what its robots.txt says, how it complains."""

    name: str
    pages: int
    seconds: float = 0.0
    robots: str = ""
    # Where /robots.txt redirects to; another host when it is a whole URL.
    robots_at: str = "/robots.txt"
    # How often robots.txt answers 503 before it is there.
    robots_failures: int = 0
    # Every so many pages one is refused, once, with this status and Retry-After.
    complains: int = 0
    status: int = 503
    retry_after: int | None = None


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; the end is before the first byte of the answer goes out."""

    host: str
    path: str
    start: float
    end: float
    status: int


@dataclass
class Web:
    """The running sites."""

    sites: dict[str, Site]
    port: int = 0
    log: list[Asked] = field(default_factory=list)
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def urls(self) -> list[str]:
        """Return the home page of each site."""
        return [f"http://{name}:{self.port}/" for name in self.sites]

    def pages_of(self, name: str) -> int:
        """Return how many pages of a site were given out."""
        return sum(
            entry.host == name and entry.status == 200 and "robots" not in entry.path
            for entry in self.log
        )

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await _read_head(reader):
                start = time.time()
                path, host = head
                status, headers, body = self._answer(host, path)
                is_page = "robots" not in path
                await asyncio.sleep(self.sites[host].seconds if is_page else 0)
                lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
                self.log.append(Asked(host, path, start, time.time(), status))
                writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _answer(self, host: str, path: str) -> tuple[int, list[str], bytes]:
        site = self.sites[host]
        self._asked[host, path] += 1
        times = self._asked[host, path]
        if path == "/robots.txt" and times <= site.robots_failures:
            return 503, [], b""
        if path == "/robots.txt" and site.robots_at != path:
            return 301, [f"Location: {site.robots_at.replace('PORT', str(self.port))}"], b""
        if "robots" in path:
            return 200, ["Content-Type: text/plain"], site.robots.encode()
        number = int(path.removeprefix("/") or 0)
        if site.complains and number and number % site.complains == 0 and times == 1:
            wait = [f"Retry-After: {site.retry_after}"] if site.retry_after is not None else []
            return site.status, wait, b""
        return 200, ["Content-Type: text/html"], _page(site, number)


def _page(site: Site, number: int) -> bytes:
    first = number * LINKS + 1
    linked = range(first, min(first + LINKS, site.pages))
    anchors = "".join(f"<p><a href=/{one}>Leaf {one}</a></p>" for one in linked)
    text = f"Leaf {number} of {site.name} has {number * 7919} words and {number * 31} pictures."
    return f"<!doctype html><title>{site.name} {number}</title><p>{text}</p>{anchors}".encode()


async def _read_head(reader: asyncio.StreamReader) -> tuple[str, str] | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    request, *lines = head.split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return request.split(" ")[1], headers["host"].partition(":")[0]


@contextmanager
def serving(sites: Iterable[Site]) -> Iterator[Web]:
    """Serve the sites while the block runs, in a thread of their own."""
    web = Web({site.name: site for site in sites})
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    async def serve() -> None:
        server = await asyncio.start_server(web.handle, "127.0.0.1", 0, backlog=500)
        web.port = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    task = loop.create_task(serve())

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield web
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()
