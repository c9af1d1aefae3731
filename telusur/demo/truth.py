"""The truth about every page of the demo web, one JSON object per line.

`python -m telusur.demo.truth > truth.jsonl` writes it; a running demo web serves it at
`/truth.jsonl` of its list of sites. It is made together with the pages, so it cannot drift.
"""

import json
import sys
from collections.abc import Iterable

from telusur.demo.records import Truth

DEFAULT_PORT = 8800


def truth_lines(truth: Iterable[Truth]) -> str:
    """Return the truth as JSON lines."""
    return "".join(json.dumps(one.as_dict(), ensure_ascii=False) + "\n" for one in truth)


def main() -> None:
    """Write the truth of the demo web on its usual port to standard output."""
    from telusur.demo.web import DemoWeb, localhost

    sys.stdout.write(truth_lines(DemoWeb(localhost(DEFAULT_PORT)).truth))


if __name__ == "__main__":
    main()
