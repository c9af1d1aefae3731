"""Every function of the compiled parts with any texts and arrays: what does not fit is refused."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from telusur.compiled import load_native
from telusur.crawl.rules.traps import MOST_LINES, MOST_OF_LINE, SAMPLE_SIZE
from telusur.extract.compiled import native as extract
from telusur.extract.content import classifier as reading
from telusur.extract.content.characters import _kind_table
from telusur.extract.content.element_names import _lexicons
from telusur.extract.content.model import shipped_model
from telusur.extract.facts import nearby
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.dom import TagIndex, parse_html
from telusur.extract.page.layout import read_layout
from telusur.extract.page.visible import hide_invisible
from telusur.language.compiled import native as language
from telusur.language.indexed_text import compiled_analysis

crawl = load_native("telusur.crawl._native")
REFUSED = (ValueError, TypeError, OverflowError, MemoryError)
LANGUAGES = ("en", "ja", "tr", "id")


def any_texts(data: bytes) -> None:
    """Give a text, as it is and not as our parser writes it, to whatever takes one."""
    text = data.decode("utf-8", "replace")
    dice = random.Random(data)
    half, lines = text[: len(text) // 2], text.split("\n")
    extract.scan(text, dice.choice((0, 1, 10, 10_000)))
    extract.signs(text)
    for tag in ("h1", "p", "x" * 30):
        extract.nearby(text, tag, dice.randrange(3), nearby.NearbyText, dice.random() < 0.5)
    extract.has_surrogates(text)
    extract.has_surrogates(data.decode("utf-8", "surrogateescape"))
    with suppress(ValueError):
        extract.around(text, text[3 : dice.randrange(3, 30)], dice.randrange(40))
    extract.count_kinds(lines, _kind_table(), 12, dice.randrange(1, 300))
    words = extract.Lexicon({word: n for n, word in enumerate(half.split())})
    names = [tuple((line.split(" ", 3) + [""] * 4)[:4]) for line in lines]
    words.line_bags(lines, dice.randrange(200), dice.randrange(30), lines)
    words.name_bags(names)
    extract.name_senses(names, *_lexicons())
    digits = np.ones(len(lines), np.float32)
    extract.hold(lines, digits, half, words, half, text, (half[:9], "a"))
    language.signature(data)
    language.sample(text, MOST_LINES, dice.choice((1, MOST_OF_LINE)), SAMPLE_SIZE)
    analysis = compiled_analysis(dice.choice(LANGUAGES))
    analysis.analyse(text)
    analysis.hash_texts(lines, dice.randrange(1, 50))


def any_arrays(data: bytes) -> None:
    """Give arrays that do not fit each other, or hardly, to whatever takes some."""
    dice = random.Random(data)
    for function in dice.sample(FUNCTIONS, 3):
        with suppress(*REFUSED):
            function(dice, data)


def ints(dice: random.Random, kind: type, most: int = 12, top: int = 12) -> Any:
    """Return a few numbers, most of them small."""
    size = dice.randrange(most)
    odd = (-1, top, 2**31 - 1, -(2**31), 2**40 if kind is np.int64 else 99)
    return np.array(
        [dice.choice(odd) if dice.random() < 0.05 else dice.randrange(top) for _ in range(size)],
        kind,
    )


def floats(dice: random.Random, most: int = 40, kind: type = np.float32) -> Any:
    """Return a few numbers with a point."""
    return np.array([dice.uniform(-2, 2) for _ in range(dice.randrange(most))], kind)


def _group(dice: random.Random, data: bytes) -> None:
    size = dice.randrange(1, 8)
    parents = np.array([dice.randrange(-1, max(n, 1)) for n in range(size)], np.int32)
    starts = np.sort(np.array([dice.randrange(5) for _ in range(size)], np.int32))
    containers = np.array([dice.randrange(size) for _ in range(dice.randrange(9))], np.int32)
    names = np.array([dice.randrange(3) for _ in range(size)], np.int32)
    arrays = [starts, parents, containers, names]
    if dice.random() < 0.3:
        arrays[dice.randrange(4)] = ints(dice, np.int32)
    holders = np.frombuffer(extract.group(*arrays)[1], np.int32)
    assert (holders >= 0).all()


def _join(dice: random.Random, data: bytes) -> None:
    first, second = ints(dice, np.int32), ints(dice, np.int32)
    extract.join_bags(np.sort(first), second, ints(dice, np.int64), np.sort(ints(dice, np.int64)))


def _sums(dice: random.Random, data: bytes) -> None:
    columns = dice.randrange(-1, 4)
    room = bytearray(4 * dice.randrange(40))
    name = dice.choice(("sum_within", "sum_around", "sum_bags"))
    more = [ints(dice, np.int64) for _ in range(3 if name == "sum_around" else 2)]
    getattr(extract, name)(floats(dice), columns, *more, room)


def _runs(dice: random.Random, data: bytes) -> None:
    width = dice.randrange(-1, 4)
    lengths = ints(dice, np.int32, top=4)
    weights = None if dice.random() < 0.5 else floats(dice)
    room = np.zeros(dice.randrange(40))
    name = dice.choice(("sum_runs", "sum_terms"))
    table = floats(dice, kind=np.float64)
    getattr(language, name)(table, width, ints(dice, np.int32), lengths, weights, room)


def _links(dice: random.Random, data: bytes) -> None:
    arrays = [
        ints(dice, np.int32) if dice.random() < 0.5 else floats(dice, kind=np.float64)
        for _ in range(12)
    ]
    crawl.add_links(*arrays, np.zeros(15 * dice.randrange(4)))


def _visits(dice: random.Random, data: bytes) -> None:
    arrays = [ints(dice, np.uint32 if n < 3 else np.int32, 40, 9) for n in range(4)]
    table = np.zeros(dice.randrange(60), np.uint16)
    language.visits(*arrays, data[:50], table, dice.randrange(-1, 5))


def _snippet(dice: random.Random, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    tokens = "".join(chr(dice.randrange(1, 128)) for _ in range(6 * dice.randrange(20)))
    if dice.random() < 0.6:
        tokens = compiled_analysis("en").analyse(text[:2000])[2]
    runs = [(dice.randrange(-1, 4), tuple(ints(dice, np.int64).tolist())) for _ in range(3)]
    weights = tuple(dice.uniform(-1, 2) for _ in range(dice.randrange(5)))
    language.make_snippet(text, tokens, runs, weights, dice.randrange(-1, 200), dice.randrange(60))


def _read(dice: random.Random, data: bytes) -> None:
    tree = parse_html(data[:3000].decode("utf-8", "replace"))
    hide_invisible(tree, TagIndex(tree))
    found = read_layout(tree)
    if not found.texts:
        return
    caught: list[Any] = []

    class Catching:
        def __getattr__(self, name: str) -> Any:
            return getattr(extract, name)

        def read(self, *arguments: Any) -> Any:
            caught.extend(arguments)
            return extract.read(*arguments)

    was, reading.native = reading.native, Catching()
    try:
        reading.read_lines(shipped_model(), found, Metadata(title="words two"))
    finally:
        reading.native = was
    inputs, weights, voice = caught
    for _ in range(4):
        arrays = list(inputs)
        place = dice.randrange(len(arrays))
        raw = bytearray(arrays[place])
        for _ in range(dice.randrange(1, 4)):
            if raw and dice.random() < 0.8:
                raw[dice.randrange(len(raw))] = dice.choice((0, 1, 2, 127, 255))
            else:
                del raw[dice.randrange(len(raw) + 1) :]
        arrays[place] = np.frombuffer(bytes(raw), np.uint8)
        with suppress(*REFUSED):
            extract.read(tuple(arrays), weights, voice)


FUNCTIONS: list[Callable[[random.Random, bytes], None]] = [
    *(_group, _join, _sums, _runs, _links, _visits, _snippet, _read),
]
