"""The word lists of a collection: plain text files in its directory `words`, yours to replace."""

import os
import re
from pathlib import Path

from telusur.errors import StorageError, UsageError
from telusur.language.stop_words import parse_stop_words
from telusur.language.synonyms import parse_synonyms
from telusur.search.lexicon import NO_LEXICON, Lexicon

WORDS = "words"
SYNONYMS = "synonyms.txt"
COMMON = "common.txt"
LARGEST_BYTES = 10_000_000
_STOP_WORDS = re.compile(r"stop-([a-z]{2,3})\.txt")

Signature = tuple[tuple[str, int, int], ...]


def stop_words_file(language: str) -> str:
    """Return the name of the file with the stop words of a language."""
    name = f"stop-{language}.txt"
    if not _STOP_WORDS.fullmatch(name):
        raise UsageError(f"{language!r} is no code of a language; write it as in en=FILE.")
    return name


class WordFiles:
    """The lists of one collection, read again when a file has changed."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory / WORDS
        self._signature: Signature = ()
        self._lexicon = NO_LEXICON

    def lexicon(self) -> Lexicon:
        """Return what the lists say; without any, our own stop words and no synonyms."""
        signature = self._look()
        if signature != self._signature:
            self._lexicon = self._read([name for name, _, _ in signature])
            self._signature = signature
        return self._lexicon

    def put(self, name: str, source: Path | None) -> None:
        """Take a copy of a list into the collection, if it can be read; None takes it out."""
        target = self._directory / name
        try:
            if source is None:
                target.unlink(missing_ok=True)
                return
            text = _read_text(source)
            _check(name, text, str(source))
            self._directory.mkdir(exist_ok=True)
            half_written = target.with_suffix(".new")
            half_written.write_text(text, encoding="utf-8")
            os.replace(half_written, target)
        except OSError as error:
            raise StorageError(f"Cannot write {target}: {error.strerror or error}.") from None

    def _look(self) -> Signature:
        try:
            with os.scandir(self._directory) as entries:
                found = [(e.name, e.stat()) for e in entries if e.name.endswith(".txt")]
        except OSError:
            return ()
        return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in found))

    def _read(self, names: list[str]) -> Lexicon:
        texts = {name: _read_text(self._directory / name) for name in names}
        stop_words = {
            match[1]: parse_stop_words(texts[name], match[1])
            for name in names
            if (match := _STOP_WORDS.fullmatch(name))
        }
        return Lexicon(
            stop_words=stop_words,
            common=parse_stop_words(texts.get(COMMON, ""), ""),
            synonyms=parse_synonyms(texts.get(SYNONYMS, ""), str(self._directory / SYNONYMS)),
        )


def _check(name: str, text: str, source: str) -> None:
    if name == SYNONYMS:
        parse_synonyms(text, source)
    elif not parse_stop_words(text, ""):
        raise UsageError(f"{source}: there is no word in this file.")


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise UsageError(f"{path}: a list of words is at most {LARGEST_BYTES:,} bytes long.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this is not UTF-8; save it as UTF-8 text.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror or error}).") from None
