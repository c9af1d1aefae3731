"""Texts that say nearly the same are told from texts that only look the same."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.rules.near_duplicates import (
    BANDS,
    BINS,
    MOST_BYTES,
    THRESHOLD,
    band_keys,
    bands,
    signature,
    similarity,
)

WORDS = [f"{first}{second}{end}" for first in ("ka", "mo", "ri", "tel", "su", "ver", "dan", "po")
         for second in ("la", "nit", "ro", "sem", "ti", "gu", "bel") for end in ("", "n", "s", "ta",
         "ing", "er", "os")]  # fmt: skip
MENU = "Home News Sport Weather Culture Travel Contact Imprint Search Sign in " * 2


def article(number, words=400):
    return " ".join(random.Random(number).choices(WORDS, k=words))


def are_near(one, other):
    a, b = signature(one), signature(other)
    return similarity(a, b) >= THRESHOLD and bool(set(bands(a)) & set(bands(b)))


def test_equal_texts_have_equal_signatures():
    assert len(signature(article(1))) == BINS
    assert signature(article(1)) == signature(article(1))
    assert similarity(signature(article(1)), signature(article(1))) == 1.0
    assert len(set(bands(signature(article(1))))) == BANDS


@pytest.mark.parametrize("words", [200, 400, 1500, 8000])
def test_a_changed_date_counter_and_advert_make_no_other_text(words):
    body = article(2, words)
    one = f"Visitor 81823, 2026-11-16 10:04\n{body}\nBuy one"
    other = f"Visitor 7, 2025-01-02 23:59\n{body}\nBuy two"
    assert one != other
    assert are_near(one, other)


def test_many_pairs_are_found_and_no_others():
    texts = [article(number) for number in range(200)]
    twins = [f"Edition {number}. {text} Read {number * 7} times." for number, text in
             enumerate(texts)]  # fmt: skip
    assert sum(map(are_near, texts, twins)) >= 198
    assert not any(are_near(texts[at], texts[at - 1]) for at in range(len(texts)))


def test_similarity_is_near_the_share_of_common_runs_of_words():
    words = article(3, 2000).split()
    for changes in (20, 60, 150, 400):
        edited = list(words)
        for at in random.Random(changes).sample(range(len(words)), changes):
            edited[at] = f"x{at}"
        one, other = (set(zip(w, w[1:], w[2:], strict=False)) for w in (words, edited))
        share = len(one & other) / len(one | other)
        told = similarity(signature(" ".join(words)), signature(" ".join(edited)))
        assert told == pytest.approx(share, abs=0.12)


def test_the_same_menu_around_another_article_is_another_text():
    assert not are_near(MENU + article(4, 150) + MENU, MENU + article(5, 150) + MENU)


def test_months_of_a_calendar_are_different_texts():
    def month(name, first):
        days = "\n".join(f"{day} {name}: opening at {(day * first) % 12}" for day in range(1, 31))
        return f"Events in {name}\n{days}"

    assert not are_near(month("March", 5), month("April", 7))


def test_a_product_in_another_colour_is_another_text():
    def product(colour, number):
        return (
            f"Enamel mug, {colour}. Item {number}. This mug in {colour} holds a quarter of a "
            f"litre, and keeps tea warm. The {colour} glaze is fired twice, so that it does not "
            f"chip. Wash it by hand or in the machine. Order the mug in {colour} today, and it "
            "leaves our house tomorrow. Returns are free for thirty days, whatever the reason."
        )

    assert not are_near(product("red", 17), product("blue", 18))


def test_short_texts_are_left_to_exact_digests():
    assert signature("") == b""
    assert signature("word " * 30) == b""
    assert signature("短い") == b""
    assert similarity(b"", b"") == 0.0


def test_scripts_without_blanks_work_too():
    letters = [chr(0x4E00 + number) for number in range(800)]
    chance = random.Random(1)
    body = "".join(chance.choices(letters, k=900))
    assert are_near(f"2026-11-16{body}", f"2025-01-02{body}")
    assert not are_near(body, "".join(chance.choices(letters, k=900)))


@pytest.mark.parametrize(
    "text",
    ["\ud800 \udfff" * 100, "\x00" * 5000, " " * 5000, "a" * 5000, "é" * MOST_BYTES, "\n\t " * 999],
)
def test_strange_texts_do_no_harm(text):
    assert len(signature(text)) in (0, BINS)


def test_only_the_beginning_of_a_huge_text_counts():
    body = article(6, 80_000)
    assert len(body) > MOST_BYTES
    assert signature(body) == signature(body + " and more")


@given(
    st.text(max_size=40), st.sampled_from(["", " ", "\n", "短い", "é\u2003"]), st.integers(1, 60)
)
def test_the_compiled_way_gives_the_same_signature(text, between, times):
    text = between.join([text] * times)
    made = signature(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telusur.crawl.rules.near_duplicates.native", None)
        assert signature(text) == made


def test_the_keys_of_one_signature_are_those_of_many():
    made = [signature(article(number)) for number in range(6)]
    together = band_keys(np.frombuffer(b"".join(made), np.uint8).reshape(len(made), BINS))
    assert [bands(one) for one in made] == together.tolist()
    assert len({key for one in made for key in bands(one)}) == 6 * BANDS
