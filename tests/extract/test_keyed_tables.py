"""Pages of made-up names do not slow the tables of the compiled part down."""

import itertools
import random
import string
import subprocess
import sys

import numpy as np
import pytest

from telusur.extract.compiled import native

BORDER = 0x110000
PRIME = 16777619
MASK = (1 << 20) - 1


def fnv(state, points):
    """Return a state of FNV-1a, which the tables went by once, behind more characters."""
    for point in points:
        state = (state ^ point) * PRIME & 0xFFFFFFFF
    return state


def fnv_flood(state, stages, mask):
    """Return 2 to the power of `stages` texts behind which FNV-1a has the same last bits."""
    pairs = []
    numbers = random.Random(1)
    for _ in range(stages):
        seen = {}
        while True:
            text = "".join(numbers.choices(string.ascii_lowercase, k=5))
            after = fnv(state, map(ord, text)) & mask
            if seen.setdefault(after, text) != text:
                pairs.append((seen[after], text))
                state = after
                break
    return ["".join(parts) for parts in itertools.product(*pairs)]


def probes_of(work):
    before = native.probes()
    work()
    return native.probes() - before


def test_class_names_that_fell_into_one_slot_are_spread():
    start = fnv(2166136261, [ord("p"), BORDER])
    names = fnv_flood(start, 12, MASK)
    assert len({fnv(start, map(ord, name)) & MASK for name in names}) == 1, "a flood for FNV-1a"
    page = "".join(f'<p class="{name}">x</p>' for name in names)
    assert len(set(names)) == 4096
    assert probes_of(lambda: native.scan(page, 10**6)) < 4 * len(names)


def test_tags_that_fell_into_one_slot_are_spread():
    names = ["".join(parts) for parts in itertools.product(("an", "c0"), repeat=6)]
    page = "".join(f"<{name}>" for name in names) * 50
    assert probes_of(lambda: native.signs(page)) < len(names) * 50


def test_words_that_fell_into_one_slot_of_a_lexicon_are_spread():
    size = 1 << 13
    letters = np.random.default_rng(1).integers(97, 123, (1_000_000, 8), dtype=np.uint32)
    hashes = np.full(len(letters), 2166136261, np.uint32)
    for column in letters.T:
        hashes = (hashes ^ column) * np.uint32(PRIME)
    hashes ^= hashes >> 15
    chosen = letters[(hashes & (2 * size - 1)) < 64][: size // 2]
    words = {bytes(row.astype(np.uint8)).decode() for row in chosen}
    assert len(words) > 3000
    assert probes_of(lambda: native.Lexicon(dict.fromkeys(words, 1))) < 4 * len(words)


HASH = """
from telusur.{}.compiled import native
print(*(native.keyed_hash(b"%d" % n) for n in range({})))
"""


@pytest.mark.parametrize("room", ["extract", "language"])
def test_every_process_has_hashes_of_its_own(room):
    count = 50_000
    one, other = (
        subprocess.run(
            [sys.executable, "-c", HASH.format(room, count)],
            capture_output=True, text=True, check=True,
        ).stdout.split()
        for _ in range(2)
    )  # fmt: skip
    assert one != other
    flood = [n for n in range(count) if int(one[n]) & 511 == 7]
    assert 50 < len(flood) < 200, "words that share a slot in one process"
    assert len({int(other[n]) & 511 for n in flood}) > len(flood) // 2, "and do not in another"


def test_a_word_that_begins_like_one_with_a_nul_is_another():
    found = []
    for letter in string.ascii_lowercase:  # in some table the two meet
        words = native.Lexicon({f"{letter}\0{n}": 1 for n in range(32)})
        texts = [letter, f"{letter}\x007", f"{letter}\0x"]
        rows = native.hold(texts, bytes(12), "title", words, "", "", ())
        shares = np.frombuffer(rows, np.float32).reshape(3, -1)[:, 2]
        found.append(shares.tolist())
    assert found == [[0.0, 1.0, 0.0]] * 26


def test_arrays_that_contradict_each_other_are_refused():
    numbers = np.array([0, 1], np.int32)
    for starts in ([0, 0], [1, 0], [0, 5], [2, 2]):
        for containers in ([0, 0], [1, 0], [0, 1], [1, 1]):
            arrays = (np.array(starts, np.int32), np.array([-1, 0], np.int32),
                      np.array(containers, np.int32), numbers)  # fmt: skip
            try:
                holders = np.frombuffer(native.group(*arrays)[1], np.int32)
            except ValueError:
                continue
            assert (holders >= 0).all()
