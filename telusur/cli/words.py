"""`telusur words`: the stop words, common words and synonyms of a collection."""

from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json
from telusur.collection import Collection, open_collection
from telusur.errors import UsageError
from telusur.search.query.lexicon import Lexicon


@click.command("words")
@to_read
@click.option(
    "--stop-words", metavar="LANGUAGE=FILE", multiple=True,
    help="Use the words in FILE as the stop words of this language, instead of the built-in "
    "ones; may be repeated.",
)  # fmt: skip
@click.option(
    "--common", metavar="FILE", help="Ignore the words in FILE in queries too, in every language."
)
@click.option(
    "--synonyms", metavar="FILE",
    help="Lines such as `car, automobile` (each finds the other) or `tv => television`.",
)  # fmt: skip
@as_json
def command(
    address: str,
    stop_words: tuple[str, ...],
    common: str | None,
    synonyms: str | None,
    as_json: bool,
) -> int:
    """Set or show the stop words, common words and synonyms of a collection.

    The lists are plain text. They are copied into the collection and used from the next search on.
    An empty FILE (`--stop-words en=`, `--synonyms ""`) removes a list.
    """
    with open_collection(address, create=False) as collection:
        for wish in stop_words:
            _put_stop_words(collection, wish)
        if common is not None:
            collection.put_common_words(_path(common))
        if synonyms is not None:
            collection.put_synonyms(_path(synonyms))
        lexicon = collection.lexicon()
    if as_json:
        answer_json({"type": "words", **_counts(lexicon)})
    else:
        for line in _lines(lexicon):
            click.echo(line)
    return 0


def _put_stop_words(collection: Collection, wish: str) -> None:
    language, equals, file = wish.partition("=")
    if not equals:
        raise UsageError(f"--stop-words: {wish!r} is not LANGUAGE=FILE; write en=my-words.txt.")
    collection.put_stop_words(language.strip().lower(), _path(file))


def _path(file: str) -> Path | None:
    return Path(file) if file.strip() else None


def _counts(lexicon: Lexicon) -> dict[str, object]:
    stop_words = {code: len(words) for code, words in sorted(lexicon.stop_words.items())}
    return {
        "stop_words": stop_words,
        "common": len(lexicon.common),
        "synonyms": len(lexicon.synonyms.pairs),
    }


def _lines(lexicon: Lexicon) -> list[str]:
    lines = [
        f"stop words, {code}: {len(words)}" for code, words in sorted(lexicon.stop_words.items())
    ]
    lines.append("stop words, other languages: built-in" if lines else "stop words: built-in")
    lines.append(f"common words: {len(lexicon.common) or 'none'}")
    lines.append(f"synonyms: {len(lexicon.synonyms.pairs) or 'none'}")
    return lines
