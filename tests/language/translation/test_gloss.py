import pytest

from telusur import testing
from telusur.errors import UsageError
from telusur.language.translation.contract import CannotTranslate, LanguagePair, NotNow, Translation
from telusur.language.translation.gloss import Gloss, WordTable, read_word_table

GERMAN = LanguagePair("de", "en")
TURKISH = LanguagePair("en", "tr")
TABLE = """
# German to English
burg\thundred-year-old castle\t# the best first
Burg\tfortress
die\tthe
eule\towl
jagt\thunts
straße\tstreet
im sommer\tin summer
nacht\tnight
"""


def translate(text, table=TABLE, pair=GERMAN):
    (found,) = Gloss([read_word_table(table, pair)]).translate([text], *pair)
    return found.text


class MakesGloss:
    def make_translator(self):
        return Gloss([read_word_table(TABLE, GERMAN), WordTable(TURKISH, {"owl": "baykuş"})])

    def make_example(self):
        return testing.TranslatorExample(GERMAN, ("Die Eule jagt.", "Die Nacht", "eule, Straße"))


class TestGloss(MakesGloss, testing.TranslatorSuite):
    pass


class Rationed:
    """Translates so many characters in a minute, as a translator behind an API does."""

    def __init__(self, translator, most, clock):
        self._translator, self._most, self._clock = translator, most, clock
        self._used, self._until = 0, 0.0
        self.name, self.pairs = translator.name, translator.pairs
        self.longest_text = translator.longest_text

    def translate(self, texts, source, target):
        return [self._one(text, source, target) for text in texts]

    def _one(self, text, source, target):
        if self._clock() >= self._until:
            self._used, self._until = 0, self._clock() + 60.0
        is_known = (source, target) in self.pairs and len(text) <= self.longest_text
        if is_known and self._used + len(text) > self._most:
            return NotNow(self._until - self._clock(), "All is used up that a minute allows.")
        self._used += len(text)
        return self._translator.translate([text], source, target)[0]


class TestRationed(MakesGloss, testing.TranslatorSuite):
    def make_translator(self):
        return Rationed(super().make_translator(), 10**7, testing.Clock())


class TestRationedWhenBusy(MakesGloss, testing.BusyTranslatorSuite):
    def make_translator(self):
        self.clock = testing.Clock()
        translator = Rationed(super().make_translator(), 30, self.clock)
        translator.translate(["-" * 30], *GERMAN)
        return translator

    def let_pass(self, seconds):
        self.clock.now += seconds


def test_words_are_translated_and_the_rest_stays():
    assert translate("Die Eule jagt – nachts, um 3!") == "The Owl hunts – nachts, um 3!"
    assert translate("  eule\n\teule ") == "  owl\n\towl "


def test_the_first_of_several_translations_counts():
    assert translate("burg") == "hundred-year-old castle"


def test_case_is_kept():
    assert translate("EULE Eule eule") == "OWL Owl owl"
    assert translate("STRASSE") == "STREET"
    assert translate("I i ID", "i\tben\nid\tkimlik", TURKISH) == "Ben ben KİMLİK"


def test_case_follows_the_rules_of_each_language():
    table = "ısı\theat\niş\twork"
    assert translate("ISI İŞ Isı", table, LanguagePair("tr", "en")) == "HEAT WORK Heat"
    assert translate("Work IN", "work\tiş\nin\tiçinde", TURKISH) == "İş İÇİNDE"


def test_a_word_is_found_in_any_spelling_of_unicode():
    decomposed = "strae\u0301"
    assert translate(decomposed, "straé\tstreet") == "street"
    assert translate("Eu\u00adle") == "Owl"


def test_an_entry_of_several_words_is_left_out():
    table = read_word_table(TABLE, GERMAN)
    assert sorted(table.words) == ["burg", "die", "eule", "jagt", "nacht", "strasse"]


@pytest.mark.parametrize("line", ["eule owl", "eule\t", "\towl"])
def test_a_line_that_is_no_entry_is_named(line):
    with pytest.raises(UsageError, match=r"my\.tsv, line 2: .* write a word, a tab"):
        read_word_table(f"# words\n{line}\n", GERMAN, "my.tsv")


def test_refusals_are_sentences():
    gloss = Gloss([read_word_table(TABLE, GERMAN)], "gloss of my words")
    assert gloss.translate(["owl"], "", "en") == [
        CannotTranslate("gloss of my words cannot translate from an unknown language into en.")
    ]
    gloss.longest_text = 1_000
    (refused,) = gloss.translate(["x" * 1_001], *GERMAN)
    assert refused.reason == (
        "The text has 1,001 characters; gloss of my words translates up to 1,000 at once."
    )
    assert gloss.translate(["eule"], *GERMAN) == [Translation("owl", "gloss of my words")]
