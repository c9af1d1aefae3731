"""A web of 20,000 pages on loopback, about forty subjects. Run by bench/strategies.py.

    python -m bench.strategies_server HOSTS

A page has 60 links: ten stand on every page, most of the others lead to pages about its subject.
"""

import asyncio
import random
import sys

from bench.endless_server import WORDS, EndlessWeb, serve

PAGES = 20_000
SUBJECTS = 40
WORDS_OF_A_SUBJECT = 30


class FiniteWeb(EndlessWeb):
    """Makes the page of each number, and knows the number of each path."""

    def url(self, number: int) -> str:
        """Return the address of a page; neighbours live on different hosts."""
        return f"http://127.0.0.{1 + number % self._hosts}:{self.port}{self.path(number)}"

    def path(self, number: int) -> str:
        """Write a number as a word of its subject and letters."""
        return "/" if number < self._hosts else f"/{self._word(number)}/{_letters(number)}"

    def number(self, path: str, host: str) -> int:
        """Read the number from a path."""
        if path == "/":
            return int(host.partition(":")[0].rpartition(".")[2]) - 1
        return _number(path.rpartition("/")[2])

    def page(self, number: int) -> bytes:
        """Return a page about its subject."""
        chance = random.Random(number)
        words = self._subject(number)
        title = " ".join(chance.choices(words, k=4)).capitalize()
        text = "".join(
            f"<p>{' '.join(chance.choices(words if n % 2 else WORDS, k=45)).capitalize()}.</p>\n"
            for n in range(7)
        )
        others = [(number + SUBJECTS * chance.randrange(1, 400)) % PAGES for _ in range(35)]
        others += [chance.randrange(PAGES) for _ in range(15)]
        links = "".join(self._item(one) for one in (*range(10), *others))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"</head><body><main><article><h1>{title}</h1>\n{text}</article></main>"
            f"<aside><ul>{links}</ul></aside></body></html>"
        ).encode()

    def _item(self, number: int) -> str:
        return f'<li><a href="{self.url(number)}">about {self._word(number)}</a></li>'

    def _word(self, number: int) -> str:
        words = self._subject(number)
        return words[number // SUBJECTS % len(words)]

    def _subject(self, number: int) -> list[str]:
        first = number % SUBJECTS * WORDS_OF_A_SUBJECT
        return WORDS[first : first + WORDS_OF_A_SUBJECT]


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _number(letters: str) -> int:
    return int("".join(str(ord(letter) - ord("a")) for letter in letters))


if __name__ == "__main__":
    asyncio.run(serve(FiniteWeb(int(sys.argv[1])), int(sys.argv[1])))
