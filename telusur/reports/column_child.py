"""Runs a column search in a process of its own, which can be stopped.

Only a signal stops a regular expression in Python, and signals reach only the main thread. The
process compiles the pattern too: some of 2,000 characters take seconds.
"""

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from typing import Any

from telusur.backends import open_store
from telusur.errors import CollectionError, TelusurError, UsageError
from telusur.pipeline.children import environment_without
from telusur.reports.column_search import MATCH_SECONDS, search_columns
from telusur.search.columns import ColumnHit, ColumnMatch, ColumnRequest, ColumnResults

# Extra time for starting a process on a busy machine.
_SPARE_SECONDS = 10.0


def search_in_child(address: str, request: ColumnRequest) -> ColumnResults:
    """Return the result of `search_columns`, from a process that is ended if it takes too long."""
    request.check()
    limit = None if request.seconds is None else request.seconds + MATCH_SECONDS + _SPARE_SECONDS
    try:
        ran = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-P", "-m", "telusur.reports.column_child", address],
            input=json.dumps(asdict(request)).encode(),
            capture_output=True,
            timeout=limit,
            check=False,
            env=environment_without(),
        )
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"The pattern {request.words!r} takes too long; try a simpler one."
        ) from None
    if ran.returncode == 0:
        return _read_results(json.loads(ran.stdout))
    said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    sentence = said[-1] if said else f"exit code {ran.returncode}"
    if ran.returncode == 2:
        raise UsageError(sentence)
    raise CollectionError(f"{address}: the column search failed: {sentence}")


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
    """Run as `python -m telusur.reports.column_child ADDRESS`; the request is on stdin."""
    told = json.load(sys.stdin)
    request = ColumnRequest(**told | {"columns": tuple(told["columns"])})
    try:
        with closing(open_store(sys.argv[1]).reader()) as reader:
            results = search_columns(lambda: reader.columns(request.columns), request)
    except TelusurError as error:
        print(error, file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    json.dump(asdict(results), sys.stdout)


if __name__ == "__main__":
    main()
