"""Hashes of code and of records: what is kept is good as long as nothing under it has changed."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# What reads a page ...
READER = ("telusur/extract", "telusur/language", "telusur/models.py", "telusur/arrays.py")
# ... what learns from it ...
LEARNER = (
    "telusur/extract/content", "telusur/arrays.py", "telusur/learn/training.py",
    "telusur/learn/losses.py", "telusur/learn/gradients.py", "telusur/learn/teaching.py",
    "telusur/learn/lessons/conventions.py", "telusur/learn/lessons/variants.py",
    "telusur/learn/lessons/witnesses.py", "telusur/learn/lessons/rewritings.py",
    "telusur/learn/lessons/old_markup.py", "telusur/learn/lessons/other_language.py",
)  # fmt: skip
# ... where the truth about it is read ...
TRUTH = ("telusur/learn/lessons/examples.py", "telusur/learn/pages")
# ... and what compares the two.
JUDGE = (
    "telusur/extract/page", "telusur/extract/content/blocks.py", "telusur/extract/facts/dates.py",
    "telusur/learn/measures.py", "bench/extraction/judging.py", "bench/extraction/furniture.py",
    "bench/extraction/sets.py",
)  # fmt: skip
_KINDS = (".py", ".c", ".h")


def hash_of_code(*places: str) -> str:
    """Return a hash of files of code, and of all in directories."""
    files = sorted({file for place in places for file in _files_in(ROOT / place)})
    return hash_of(*((file.relative_to(ROOT), file.read_bytes()) for file in files))


def hash_of(*parts: object) -> str:
    """Return a hash of some records, by what they print as."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode(errors="replace"))
        digest.update(b"\0")
    return digest.hexdigest()


def _files_in(place: Path) -> Iterable[Path]:
    if place.is_file():
        return [place]
    return (path for path in place.rglob("*") if path.suffix in _KINDS)
