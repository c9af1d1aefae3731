"""A web without end on loopback: each page leads to 40 new ones. Run by bench/endless_web.py.

    python bench/endless_server.py HOSTS

Pages are numbered like a heap with 40 branches, so the server remembers nothing. Their URLs and
texts are made of words of this project's documentation: no numbers, no repetition, no trap.
"""

import asyncio
import random
import re
import sys
from functools import lru_cache
from pathlib import Path

BRANCHES = 40
WORDS_OF_A_URL = 256
DOCS = Path(__file__).parent.parent / "docs"


def read_words() -> list[str]:
    """Return the words of the documentation in an order that does not follow the alphabet."""
    text = " ".join(path.read_text() for path in sorted(DOCS.glob("*.md")))
    words = sorted(set(re.findall(r"\b[a-z]{3,11}\b", text)))
    random.Random(1).shuffle(words)
    return words


WORDS = read_words()


class EndlessWeb:
    """Makes the page of each number, and knows the number of each path."""

    def __init__(self, hosts: int) -> None:
        self._hosts = hosts
        self._numbers = {word: number for number, word in enumerate(WORDS[:WORDS_OF_A_URL])}
        self.port = 0

    def url(self, number: int) -> str:
        """Return the address of a page; neighbours live on different hosts."""
        return f"http://127.0.0.{1 + number % self._hosts}:{self.port}{self.path(number)}"

    def path(self, number: int) -> str:
        """Write a number as three words."""
        if number < self._hosts:
            return "/"
        first, rest = divmod(number, WORDS_OF_A_URL * WORDS_OF_A_URL)
        second, third = divmod(rest, WORDS_OF_A_URL)
        return f"/{WORDS[first]}/{WORDS[second]}-{WORDS[third]}"

    def number(self, path: str, host: str) -> int:
        """Read the number from a path."""
        if path == "/":
            return int(host.partition(":")[0].rpartition(".")[2]) - 1
        number = 0
        for word in re.split("[/-]", path[1:]):
            number = number * WORDS_OF_A_URL + self._numbers[word]
        return number

    def page(self, number: int) -> bytes:
        """Return a page of 60 links: ten stand on every page, ten lead to pages close by."""
        pick = random.Random(number).choices
        title = " ".join(pick(WORDS, k=6)).capitalize()
        paragraphs = "".join(f"<p>{_sentences(pick(WORDS, k=45))}</p>\n" for _ in range(7))
        first = self._hosts + number * BRANCHES
        more = "".join(self._item(child) for child in range(first, first + BRANCHES))
        near = "".join(self._item(known) for known in range(max(0, number - 10), number))
        menu = "".join(self._item(known) for known in range(10))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"</head><body><nav><ul>{menu}</ul></nav><main><article><h1>{title}</h1>\n{paragraphs}"
            f"</article></main><aside><h2>More</h2><ul>{more}</ul></aside>"
            f"<footer><ul>{near}</ul></footer></body></html>"
        ).encode()

    @lru_cache(1024)  # noqa: B019 - lives as long as the process
    def _item(self, number: int) -> str:
        url = self.url(number)
        return f'<li><a href="{url}">{url.rpartition("/")[2].replace("-", " ")}</a></li>'


def _sentences(words: list[str]) -> str:
    parts = (words[start : start + 15] for start in range(0, len(words), 15))
    return " ".join(f"The {' of the '.join((' '.join(p[:7]), ' '.join(p[7:])))}." for p in parts)


class Connection(asyncio.Protocol):
    """Answers GET requests on one connection, one after the other."""

    def __init__(self, web: EndlessWeb) -> None:
        self._web = web
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request that is complete."""
        self._data += data
        while b"\r\n\r\n" in self._data:
            head, _, self._data = self._data.partition(b"\r\n\r\n")
            self._transport.write(self._answer(head.decode("latin-1")))

    def _answer(self, head: str) -> bytes:
        path = head.split(" ", 2)[1]
        host = re.search(r"(?im)^host: *(\S+)", head)
        if path == "/robots.txt" or host is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body = self._web.page(self._web.number(path, host[1]))
        return (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        )


async def serve(web: EndlessWeb, hosts: int) -> None:
    """Listen on as many loopback addresses, say on which port, and serve until killed."""
    loop = asyncio.get_running_loop()
    first = await loop.create_server(lambda: Connection(web), "127.0.0.1", 0)
    web.port = first.sockets[0].getsockname()[1]
    for number in range(2, hosts + 1):
        await loop.create_server(lambda: Connection(web), f"127.0.0.{number}", web.port)
    print(web.port, flush=True)
    await first.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(EndlessWeb(int(sys.argv[1])), int(sys.argv[1])))
