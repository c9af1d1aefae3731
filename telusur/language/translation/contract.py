"""What a translator promises; `telusur.testing.TranslatorSuite` checks implementations."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class LanguagePair(NamedTuple):
    """Two languages by their codes of ISO 639-1: from, and into."""

    source: str
    target: str


@dataclass(slots=True, frozen=True)
class Translation:
    """A text in the target language, and the name of the translator that made it."""

    text: str
    translator: str


@dataclass(slots=True, frozen=True)
class CannotTranslate:
    """The translator will never translate this text; `reason` is a sentence for people."""

    reason: str


@dataclass(slots=True, frozen=True)
class NotNow:
    """The translator may translate this text later: ask again after so many seconds, not before."""

    after_seconds: float
    reason: str


Outcome = Translation | CannotTranslate | NotNow


class Translator(Protocol):
    """Translates texts, such as the blocks of a page.

    What happens to a text is told by a record, not by an exception. It depends on this text
    and the pair alone, never on other texts of the call, so that a cache may keep it. Only
    `NotNow` may come at one time and not at another.
    """

    @property
    def name(self) -> str:
        """Return its name with a version: other translations, another name."""

    @property
    def pairs(self) -> Collection[LanguagePair]:
        """Return the pairs that it can translate."""

    @property
    def longest_text(self) -> int:
        """Return the most characters of one text; a longer one is refused, never cut."""

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Outcome]:
        """Return an outcome for each text, in the order of the texts.

        Any number of texts may come; a translator that takes few at a time splits them itself.
        Texts without words come back as they are. A pair that is not among `pairs` is refused for
        every text, even when the translator is busy.
        """


def refuse_pair(name: str, source: str, target: str) -> CannotTranslate:
    """Return the outcome of every text whose pair a translator does not have."""
    origin = f"from {source}" if source else "from an unknown language"
    return CannotTranslate(f"{name} cannot translate {origin} into {target}.")


def refuse_length(name: str, length: int, longest: int) -> CannotTranslate:
    """Return the outcome of a text that is too long for a translator."""
    return CannotTranslate(
        f"The text has {length:,} characters; {name} translates up to {longest:,} at once."
    )
