"""A search in columns by a process of its own: a pattern that never ends can be stopped there.

Python stops a regular expression by a signal, which only reaches the main thread of a process.
"""

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from telusur.adapters.sqlite_reader import SqliteReader
from telusur.errors import CollectionError, TelusurError, UsageError
from telusur.extract.pattern import compile_pattern
from telusur.run.column_search import MATCH_SECONDS, search_columns
from telusur.search.columns import ColumnHit, ColumnMatch, ColumnRequest, ColumnResults

_SPARE_SECONDS = 10.0
"""For starting a process, on a machine that has other things to do."""


def search_in_child(directory: Path, request: ColumnRequest) -> ColumnResults:
    """Return what `search_columns` does, by a process that is ended if it goes on for too long."""
    request.check()
    compile_pattern(request.words)  # complain before a process is started
    limit = None if request.seconds is None else request.seconds + MATCH_SECONDS + _SPARE_SECONDS
    try:
        ran = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", "telusur.run.column_child", str(directory)],
            input=json.dumps(asdict(request)).encode(),
            capture_output=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"The pattern {request.words!r} takes too long; try another.") from None
    if ran.returncode == 0:
        return _read_results(json.loads(ran.stdout))
    said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    sentence = said[-1] if said else f"exit code {ran.returncode}"
    if ran.returncode == 2:
        raise UsageError(sentence)
    raise CollectionError(f"{directory}: the search in columns ended: {sentence}")


def _read_results(told: dict[str, Any]) -> ColumnResults:
    hits = tuple(_read_hit(hit) for hit in told.pop("hits"))
    columns, too_long = (tuple(told.pop(name)) for name in ("columns", "too_long"))
    return ColumnResults(hits=hits, columns=columns, too_long=too_long, **told)


def _read_hit(told: dict[str, Any]) -> ColumnHit:
    matches = tuple(
        ColumnMatch(match["column"], match["excerpt"], tuple(match["mark"]))
        for match in told.pop("matches")
    )
    return ColumnHit(matches=matches, **told)


def main() -> None:
    """Run as `python -m telusur.run.column_child DIRECTORY`, with the request on standard input."""
    told = json.load(sys.stdin)
    request = ColumnRequest(**told | {"columns": tuple(told["columns"])})
    try:
        with closing(SqliteReader(Path(sys.argv[1]))) as reader:
            results = search_columns(lambda: reader.columns(request.columns), request)
    except TelusurError as error:
        print(error, file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    json.dump(asdict(results), sys.stdout)


if __name__ == "__main__":
    main()
