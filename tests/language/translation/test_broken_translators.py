"""The suites find what is wrong: each of these copies of the gloss breaks one promise."""

import math
import random
from dataclasses import replace

import pytest

from telusur import testing
from telusur.language.translation.contract import CannotTranslate, NotNow, Translation
from telusur.language.translation.gloss import Gloss, WordTable
from tests.language.translation.test_gloss import GERMAN, TABLE, MakesGloss, Rationed
from tests.language.translation.test_gloss import read_word_table as read
from tests.memory.test_broken_copies import assert_fails


class Broken(Gloss):
    def __init__(self):
        super().__init__([read(TABLE, GERMAN), WordTable(("en", "tr"), {"owl": "baykuş"})])


class Shuffles(Broken):
    """Texts come in the order of their length."""

    def translate(self, texts, source, target):
        return super().translate(sorted(texts, key=len), source, target)


class LeavesOutEmptyTexts(Broken):
    """A text without words has no outcome."""

    def translate(self, texts, source, target):
        return super().translate([text for text in texts if text.strip()], source, target)


class LeavesOutRepeatedTexts(Broken):
    """A text that comes twice has one outcome."""

    def translate(self, texts, source, target):
        return super().translate(list(dict.fromkeys(texts)), source, target)


class TakesOneHundred(Broken):
    """Of many texts only the first are translated."""

    def translate(self, texts, source, target):
        return super().translate(texts[:100], source, target)


class Strips(Broken):
    """Spaces around a text are lost."""

    def translate(self, texts, source, target):
        return super().translate([text.strip() for text in texts], source, target)


class Cuts(Broken):
    """A long text is cut, and nobody is told."""

    def translate(self, texts, source, target):
        return super().translate([text[:5_000] for text in texts], source, target)


class LosesTheEnd(Broken):
    """The last words of a long text are lost."""

    def translate(self, texts, source, target):
        return super().translate([self.cut(text) for text in texts], source, target)

    def cut(self, text):
        return text[: len(text) // 512 * 512] if len(text) > 512 else text


class CutsWhatIsTooLong(Broken):
    """A text that is too long is cut and not refused."""

    def translate(self, texts, source, target):
        cut = [text[: self.longest_text] for text in texts]
        return super().translate(cut, source, target)


class RefusesAllForOne(Broken):
    """One text that is too long spoils all others."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        refused = [one for one in found if isinstance(one, CannotTranslate)]
        return refused[:1] * len(texts) if refused else found


class RaisesForPairs(Broken):
    """A pair that it does not have is an exception."""

    def translate(self, texts, source, target):
        if (source, target) not in self.pairs:
            raise ValueError(source, target)
        return super().translate(texts, source, target)


class CopiesOtherPairs(Broken):
    """A text of another pair comes back as it is, as if it were translated."""

    def translate(self, texts, source, target):
        if (source, target) in self.pairs:
            return super().translate(texts, source, target)
        return [Translation(text, self.name) for text in texts]


class RefusesOnce(Broken):
    """A pair that it does not have is refused once for all texts."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return found if (source, target) in self.pairs else found[:1]


class RefusesInCodes(Broken):
    """A refusal says nothing that a person understands."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return [CannotTranslate("E42") if type(one) is CannotTranslate else one for one in found]


class RefusesEverything(Broken):
    """It says which pairs it has, and translates none."""

    def translate(self, texts, source, target):
        return [CannotTranslate(f"No {source} into {target} today.") for _ in texts]


class AlwaysLater(Broken):
    """It is never ready."""

    def translate(self, texts, source, target):
        return [NotNow(60.0, "Please ask again.") for _ in texts]


class EchoesAll(Broken):
    """Nothing is translated, and everything is said to be."""

    def translate(self, texts, source, target):
        if (source, target) not in self.pairs:
            return super().translate(texts, source, target)
        return [Translation(text, self.name) for text in texts]


class HidesItsName(Broken):
    """A translation does not say who made it."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return [replace(one, translator="") if type(one) is Translation else one for one in found]


class Counts(Broken):
    """A translation depends on its place in the call."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return [
            replace(one, text=one.text + "." * place)
            if type(one) is Translation and one.text.strip()
            else one
            for place, one in enumerate(found)
        ]


class WritesIntoTexts(Broken):
    """The texts of the caller become the translations."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        if isinstance(texts, list):
            texts[:] = [getattr(one, "text", "") for one in found]
        return found


class SharesItsList(Broken):
    """Who empties the list that was returned empties the memory of the translator."""

    def __init__(self):
        super().__init__()
        self.kept = {}

    def translate(self, texts, source, target):
        key = (*texts, source, target)
        if key not in self.kept:
            self.kept[key] = super().translate(texts, source, target)
        return self.kept[key]


class Guesses(Broken):
    """A text has another translation each time."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return [
            replace(one, text=f"{one.text} {random.random()}") if type(one) is Translation else one
            for one in found
        ]


class NamesItselfAnew(Broken):
    """Its name changes without its translations, so no cache finds them."""

    def __init__(self):
        super().__init__()
        self.name = f"gloss {random.random()}"


class HasNoName(Broken):
    """Its name is empty."""

    def __init__(self):
        super().__init__()
        self.name = ""


class SaysOtherPairs(Broken):
    """Its languages have names instead of codes."""

    def __init__(self):
        super().__init__()
        self.pairs = self.pairs | {("German", "English")}


class FailsOnSurrogates(Broken):
    """Half a character is an exception."""

    def translate(self, texts, source, target):
        assert all(text.encode() is not None for text in texts)
        return super().translate(texts, source, target)


BROKEN = [
    (Shuffles, "in_the_order_of_the_texts"),
    (LeavesOutEmptyTexts, "without_words_come_back"),
    (LeavesOutRepeatedTexts, "as_many_outcomes_as_texts"),
    (TakesOneHundred, "as_many_outcomes_as_texts"),
    (Strips, "without_words_come_back"),
    (Cuts, "translated_to_its_end"),
    (LosesTheEnd, "translated_to_its_end"),
    (CutsWhatIsTooLong, "too_long_is_refused"),
    (RefusesAllForOne, "too_long_is_refused"),
    (RaisesForPairs, "does_not_have_is_refused"),
    (CopiesOtherPairs, "does_not_have_is_refused"),
    (RefusesOnce, "does_not_have_is_refused"),
    (RefusesInCodes, "does_not_have_is_refused"),
    (RefusesEverything, "says_who_made_it"),
    (AlwaysLater, "says_who_made_it"),
    (EchoesAll, "says_who_made_it"),
    (HidesItsName, "says_who_made_it"),
    (Counts, "other_texts_of_a_call"),
    (WritesIntoTexts, "nobodys_to_change"),
    (SharesItsList, "nobodys_to_change"),
    (Guesses, "the_same_outcomes"),
    (NamesItselfAnew, "the_same_outcomes"),
    (HasNoName, "a_name_of_one_line"),
    (SaysOtherPairs, "languages_by_their_codes"),
    (FailsOnSurrogates, "odd_characters"),
]


class NeverReady(Rationed):
    """The time that it names passes, and another one begins."""

    def _one(self, text, source, target):
        self._used, self._until = self._most, self._clock() + 60.0
        found = super()._one(text, source, target)
        self._until = self._clock() + 60.0
        return found


class SaysForever(Rationed):
    """The time that it names never ends."""

    def _one(self, text, source, target):
        found = super()._one(text, source, target)
        return replace(found, after_seconds=math.inf) if isinstance(found, NotNow) else found


class SaysTooEarly(Rationed):
    """The time that it names is half of what it takes."""

    def _one(self, text, source, target):
        found = super()._one(text, source, target)
        if isinstance(found, NotNow):
            return replace(found, after_seconds=found.after_seconds / 2)
        return found


class WaitsForWhatItCannot(Rationed):
    """A pair that it does not have must wait too."""

    def _one(self, text, source, target):
        return super()._one(text, *GERMAN)


class ForgetsWhoMustWait(Rationed):
    """Texts that must wait have no outcome."""

    def translate(self, texts, source, target):
        found = super().translate(texts, source, target)
        return [one for one in found if not isinstance(one, NotNow)]


BROKEN_BUSY = [
    (NeverReady, "when_that_time_has_passed"),
    (SaysForever, "must_wait_says_how_long"),
    (SaysTooEarly, "when_that_time_has_passed"),
    (WaitsForWhatItCannot, "refused_at_once"),
    (ForgetsWhoMustWait, "must_wait_says_how_long"),
]


@pytest.mark.parametrize(("kind", "test"), BROKEN)
def test_a_broken_translator_fails_the_suite(kind, test):
    class Case(MakesGloss, testing.TranslatorSuite):
        def make_translator(self):
            return kind()

    assert_fails(Case, test)


@pytest.mark.parametrize(("kind", "test"), BROKEN_BUSY)
def test_a_translator_that_is_busy_in_a_wrong_way_fails_the_suite(kind, test):
    class Case(MakesGloss, testing.BusyTranslatorSuite):
        def make_translator(self):
            self.clock = testing.Clock()
            translator = kind(super().make_translator(), 30, self.clock)
            translator.translate(["-" * 30], *GERMAN)
            return translator

        def let_pass(self, seconds):
            self.clock.now += seconds

    assert_fails(Case, test)


def test_a_copy_that_is_not_broken_fails_nothing():
    class Case(MakesGloss, testing.TranslatorSuite):
        def make_translator(self):
            return Broken()

    assert testing.failures_of(Case) == {}
