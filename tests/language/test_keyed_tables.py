"""Texts of made-up words do not slow the memory of words down."""

import numpy as np

from telusur.language.compiled import native
from telusur.language.indexed_text import read_text

FOLD = np.uint64(0x9E3779B97F4A7C15)


def test_words_that_fell_into_one_slot_are_spread():
    letters = np.random.default_rng(1).integers(97, 123, (2_000_000, 8), dtype=np.uint8)
    words = np.ascontiguousarray(letters).view(np.uint64).ravel()
    hashes = (np.uint64(8) ^ words) * FOLD
    hashes ^= hashes >> np.uint64(32)
    chosen = letters[(hashes & np.uint64((1 << 17) - 1)) < 256][:3000]
    text = " ".join(bytes(row).decode() for row in chosen)
    assert len(chosen) == 3000
    before = native.probes()
    read_text(text, "en")
    assert native.probes() - before < 4 * len(chosen)
