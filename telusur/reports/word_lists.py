"""The word lists of a collection: plain text files in its folder `words`, yours to edit."""

import re
from collections.abc import Hashable
from pathlib import Path

from telusur.errors import UsageError
from telusur.language.stop_words import parse_stop_words
from telusur.language.synonyms import parse_synonyms
from telusur.search.query.lexicon import NO_LEXICON, Lexicon
from telusur.store.blobs import Blobs

WORDS = "words"
SYNONYMS = "synonyms.txt"
COMMON = "common.txt"
LARGEST_BYTES = 10_000_000
_STOP_WORDS = re.compile(r"stop-([a-z]{2,3})\.txt")

Signature = tuple[tuple[str, Hashable], ...]


def stop_words_file(language: str) -> str:
    """Return the name of the stop word file of a language."""
    name = f"stop-{language}.txt"
    if not _STOP_WORDS.fullmatch(name):
        raise UsageError(f"{language!r} is not a language code; write en=FILE.")
    return name


class WordLists:
    """The word lists of one collection, reloaded when they change."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._signature: Signature = ()
        self._lexicon = NO_LEXICON

    def lexicon(self) -> Lexicon:
        """Return the lists; by default the built-in stop words and no synonyms."""
        signature = self._look()
        if signature != self._signature:
            self._lexicon = self._read([name for name, _ in signature])
            self._signature = signature
        return self._lexicon

    def put(self, name: str, source: Path | None) -> None:
        """Copy a list into the collection after checking it; None removes it."""
        if source is None:
            self._blobs.delete(f"{WORDS}/{name}")
            return
        text = _read_text(source)
        _check(name, text, str(source))
        self._blobs.write(f"{WORDS}/{name}", text.encode())

    def _look(self) -> Signature:
        names = [name for name in self._blobs.names(WORDS) if name.endswith(".txt")]
        return tuple((name, self._blobs.stamp(name)) for name in names)

    def _read(self, blobs: list[str]) -> Lexicon:
        texts = {blob.removeprefix(f"{WORDS}/"): self._read_list(blob) for blob in blobs}
        stop_words = {
            match[1]: parse_stop_words(texts[name], match[1])
            for name in texts
            if (match := _STOP_WORDS.fullmatch(name))
        }
        return Lexicon(
            stop_words=stop_words,
            common=parse_stop_words(texts.get(COMMON, ""), ""),
            synonyms=parse_synonyms(
                texts.get(SYNONYMS, ""), self._blobs.place_of(f"{WORDS}/{SYNONYMS}")
            ),
        )

    def _read_list(self, name: str) -> str:
        return _decode(self._blobs.read(name) or b"", self._blobs.place_of(name))


def _check(name: str, text: str, source: str) -> None:
    if name == SYNONYMS:
        parse_synonyms(text, source)
    elif not parse_stop_words(text, ""):
        raise UsageError(f"{source}: this file has no words.")


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise UsageError(f"{path}: the file is larger than {LARGEST_BYTES:,} bytes.")
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror or error}).") from None
    return _decode(data, str(path))


def _decode(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{place}: this is not UTF-8; save it as UTF-8 text.") from None
