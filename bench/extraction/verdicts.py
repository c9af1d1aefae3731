"""Verdicts that are kept, since judging all answers anew takes minutes."""

import pickle
from pathlib import Path
from typing import Any

from bench.extraction.answers import Asked
from bench.extraction.hashes import JUDGE, TRUTH, hash_of_code
from bench.extraction.judging import Judge, Verdict


class VerdictBook:
    """The verdicts on the answers of one extractor to the pages of one set."""

    def __init__(self, directory: Path, asked: Asked, source: str) -> None:
        self._asked = asked
        self._source = source
        code = hash_of_code(*JUDGE, *TRUTH)
        self._path = directory / code / asked.directory.name / f"{source}.pickle"
        self._verdicts: dict[str, Verdict] = {}
        self._answers: dict[str, dict[str, Any]] | None = None
        self._is_new = False
        if self._path.is_file():
            self._verdicts = pickle.loads(self._path.read_bytes())

    def has(self, key: str) -> bool:
        """Tell whether there is a verdict on the answer to this page."""
        return key in self._verdicts

    def verdict(self, key: str) -> Verdict:
        """Return the verdict on the answer to this page."""
        return self._verdicts[key]

    def add(self, key: str, judge: Judge) -> None:
        """Judge the answer to this page."""
        if self._answers is None:
            self._answers = self._asked.answers(self._source)
        self._verdicts[key] = judge.judge(self._answers[key])
        self._is_new = True

    def save(self) -> None:
        """Write down what is new."""
        if self._is_new:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(pickle.dumps(self._verdicts))
