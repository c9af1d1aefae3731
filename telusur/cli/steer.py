"""What `pause`, `resume` and `stop` share: how the answer of the crawl is told."""

from pathlib import Path

from telusur.cli.output import answer_json, say
from telusur.run.status import IDLE, Status


def tell(directory: Path, did: str, status: Status | None, words: str, *, as_json: bool) -> int:
    """Tell what came of it; return 0, or 1 when no crawl runs."""
    if as_json:
        state = status.state if status is not None else IDLE
        answer_json({"type": did, "ok": status is not None, "state": state})
    if status is None:
        say(f"{directory}: no crawl is running.")
        return 1
    if not as_json:
        say(words)
    return 0
