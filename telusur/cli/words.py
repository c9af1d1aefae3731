"""`telusur words`: the stop words, common words and synonyms of a collection."""

from pathlib import Path

import click

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json
from telusur.collection import Collection, open_collection
from telusur.errors import UsageError
from telusur.search.lexicon import Lexicon


@click.command("words")
@to_read
@click.option(
    "--stop-words", metavar="LANGUAGE=FILE", multiple=True,
    help="Leave out of queries the words of FILE instead of ours; may be repeated.",
)  # fmt: skip
@click.option(
    "--common", metavar="FILE", help="Leave these words out of queries too, in any language."
)
@click.option(
    "--synonyms", metavar="FILE",
    help="Lines such as `car, automobile` (each finds the other) or `tv => television`.",
)  # fmt: skip
@as_json
def command(
    directory: Path,
    stop_words: tuple[str, ...],
    common: str | None,
    synonyms: str | None,
    as_json: bool,
) -> int:
    """Set or show the stop words, common words and synonyms of a collection.

    They are plain text, copied into the collection, and count from the next search on. An empty
    FILE (`--stop-words en=`, `--synonyms ""`) takes a list away.
    """
    with open_collection(directory, create=False) as collection:
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
    lines.append("stop words, other languages: ours" if lines else "stop words: ours")
    lines.append(f"common words: {len(lexicon.common) or 'none'}")
    lines.append(f"synonyms: {len(lexicon.synonyms.pairs) or 'none'}")
    return lines
