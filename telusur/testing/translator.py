"""What a translator must do: `TranslatorSuite`; when it is busy: `BusyTranslatorSuite`."""

import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from telusur.language.translation.contract import (
    CannotTranslate,
    LanguagePair,
    NotNow,
    Outcome,
    Translation,
    Translator,
)

#: No language has this code.
NO_LANGUAGE = "xx"
MANY = 300
LONG = 100_000
ODD = (
    "\x00",
    "\ud800",
    "e\u0301\u0302\u200d",
    "\U0001f989\U0001f6a2",
    "\u202eabc",
    "<b>&amp;",
    "1.5",
)


@dataclass(slots=True, frozen=True)
class TranslatorExample:
    """Texts that a translator can translate: at least three.

    Their translations differ from each other, and each from its text.
    """

    pair: LanguagePair
    texts: tuple[str, ...]


class TranslatorCase:
    """The base of the suites: a test class gives it a translator and an example."""

    def make_translator(self) -> Translator:
        """Return a translator that is ready to translate; each call makes another one."""
        raise NotImplementedError

    def make_example(self) -> TranslatorExample:
        """Return texts that this translator can translate."""
        raise NotImplementedError

    def translate(
        self, texts: Sequence[str], translator: Translator | None = None
    ) -> list[Outcome]:
        """Translate texts by the pair of the example."""
        return (translator or self.make_translator()).translate(texts, *self.make_example().pair)


class TranslatorSuite(TranslatorCase):
    """An outcome for each text, in order, that depends on this text alone."""

    # What it says of itself

    def test_it_has_a_name_of_one_line(self) -> None:
        assert_is_a_line(self.make_translator().name)

    def test_pairs_are_of_two_languages_by_their_codes(self) -> None:
        pairs = self.make_translator().pairs
        assert self.make_example().pair in pairs
        assert len(set(pairs)) == len(pairs)
        for source, target in pairs:
            assert source != target
            assert all(code.isascii() and code.islower() and 2 <= len(code) <= 3
                       for code in (source, target))  # fmt: skip

    # Order and number

    def test_each_text_is_translated_and_says_who_made_it(self) -> None:
        texts = self.make_example().texts
        assert len(texts) >= 3, "an example has at least three texts"
        found = texts_of(self.translate(texts))
        assert len(set(found)) == len(texts)
        assert all(new.strip() and new != old for new, old in zip(found, texts, strict=True))

    def test_translations_come_in_the_order_of_the_texts(self) -> None:
        texts = self.make_example().texts
        translator = self.make_translator()
        found = self.translate(texts, translator)
        assert self.translate(texts[::-1], translator) == found[::-1]

    def test_there_are_as_many_outcomes_as_texts(self) -> None:
        texts = self.make_example().texts
        translator = self.make_translator()
        assert self.translate([], translator) == []
        repeated = [texts[number % 2] for number in range(MANY)]
        found = texts_of(self.translate(repeated, translator))
        assert found == [found[0], found[1]] * (MANY // 2)

    def test_other_texts_of_a_call_change_nothing(self) -> None:
        texts = self.make_example().texts
        translator = self.make_translator()
        together = self.translate(["", *texts, texts[0]], translator)
        alone = [self.translate([text], translator)[0] for text in texts]
        assert together[1:-1] == alone
        assert together[-1] == alone[0]

    # Odd texts

    def test_texts_without_words_come_back_as_they_are(self) -> None:
        empty = ["", " ", "\n\n", " \t "]
        first = self.make_example().texts[0]
        found = texts_of(self.translate([*empty, first]))
        assert found[:-1] == empty
        assert found[-1] == texts_of(self.translate([first]))[0]

    def test_a_very_long_text_is_translated_to_its_end(self) -> None:
        translator = self.make_translator()
        first, second, third = self.make_example().texts[:3]
        ends = texts_of(self.translate([first, second, third], translator))
        most = min(translator.longest_text, LONG) - len(second) - 1
        long = "\n".join([first] * (most // (len(first) + 1)) + [second])
        found = texts_of(self.translate([long, third], translator))
        assert found[1] == ends[2]
        assert found[0].rstrip().endswith(ends[1].rstrip()[-5:]), "the end is missing"
        assert len(found[0]) > 0.5 * len(long) / len(first) * len(ends[0]), "much is missing"

    def test_a_text_that_is_too_long_is_refused_and_the_others_are_not(self) -> None:
        translator = self.make_translator()
        first, second = self.make_example().texts[:2]
        most = translator.longest_text
        assert most > 0
        too_long = (first + " ") * (most // (len(first) + 1) + 1)
        found = self.translate([first, too_long, second], translator)
        assert isinstance(found[1], CannotTranslate)
        assert_is_a_sentence(found[1].reason)
        assert texts_of([found[0], found[2]]) == texts_of(self.translate([first, second]))

    def test_odd_characters_have_an_outcome(self) -> None:
        first = self.make_example().texts[0]
        found = self.translate([*ODD, first])
        assert len(found) == len(ODD) + 1
        for outcome in found:
            assert_is_honest(outcome)
        assert found[-1] == self.translate([first])[0]

    # Other pairs

    def test_a_pair_that_it_does_not_have_is_refused_in_one_sentence(self) -> None:
        translator, (source, target) = self.make_translator(), self.make_example().pair
        texts = self.make_example().texts
        pairs = [(NO_LANGUAGE, target), (source, NO_LANGUAGE), (source, source), ("", target)]
        for pair in pairs:
            assert pair not in translator.pairs
            found = translator.translate([*texts, ""], *pair)
            assert len(found) == len(texts) + 1
            assert_refuses(found, *pair)
        assert translator.translate([], NO_LANGUAGE, target) == []

    # Repeating

    def test_texts_and_what_was_returned_are_nobodys_to_change(self) -> None:
        translator, texts = self.make_translator(), list(self.make_example().texts)
        before = list(texts)
        found = self.translate(texts, translator)
        assert texts == before
        kept = list(found)
        found.clear()
        assert self.translate(tuple(texts), translator) == kept

    def test_the_same_texts_have_the_same_outcomes(self) -> None:
        one, other, texts = (
            self.make_translator(),
            self.make_translator(),
            self.make_example().texts,
        )
        found = self.translate(texts, one)
        assert self.translate(texts, one) == found
        assert one.name == other.name
        assert self.translate(texts, other) == found


class BusyTranslatorSuite(TranslatorCase):
    """A translator that may translate only so much in a time says when to ask again.

    Here `make_translator` returns one that has used up what it may.
    """

    def let_pass(self, seconds: float) -> None:
        """Let time pass; override it if the translator gets its time from the test."""
        time.sleep(seconds)

    def test_each_text_that_must_wait_says_how_long(self) -> None:
        texts = self.make_example().texts
        found = self.translate(texts)
        assert len(found) == len(texts)
        for outcome in found:
            assert isinstance(outcome, NotNow)
            assert_is_honest(outcome)

    def test_it_translates_when_that_time_has_passed(self) -> None:
        translator, first = self.make_translator(), self.make_example().texts[0]
        (outcome,) = self.translate([first], translator)
        assert isinstance(outcome, NotNow)
        self.let_pass(outcome.after_seconds)
        (found,) = texts_of(self.translate([first], translator))
        assert found != first

    def test_what_it_cannot_do_is_refused_at_once(self) -> None:
        translator, target = self.make_translator(), self.make_example().pair.target
        texts = self.make_example().texts
        assert_refuses(translator.translate(texts, NO_LANGUAGE, target), NO_LANGUAGE, target)


def texts_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the translations; every text must have one that names its translator."""
    found = []
    for outcome in outcomes:
        assert isinstance(outcome, Translation), outcome
        assert_is_honest(outcome)
        found.append(outcome.text)
    return found


def assert_is_honest(outcome: Outcome) -> None:
    """Fail unless a record says what it must."""
    if isinstance(outcome, Translation):
        assert isinstance(outcome.text, str)
        assert_is_a_line(outcome.translator)
    elif isinstance(outcome, NotNow):
        assert math.isfinite(outcome.after_seconds)
        assert outcome.after_seconds > 0
        assert_is_a_sentence(outcome.reason)
    else:
        assert_is_a_sentence(outcome.reason)


def assert_refuses(outcomes: Sequence[Outcome], source: str, target: str) -> None:
    """Fail unless each text is refused, with a sentence that names the pair."""
    for outcome in outcomes:
        assert isinstance(outcome, CannotTranslate), outcome
        assert_is_a_sentence(outcome.reason)
        words = re.findall(r"\w+", outcome.reason)
        assert {code for code in (source, target) if code} <= set(words)


def assert_is_a_line(text: str) -> None:
    """Fail unless a text is one line that says something."""
    assert text.strip() == text
    assert len(text.splitlines()) == 1


def assert_is_a_sentence(text: str) -> None:
    """Fail unless a text is one line that ends like a sentence."""
    assert_is_a_line(text)
    assert text.endswith(".")
    assert " " in text
