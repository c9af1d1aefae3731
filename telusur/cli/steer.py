"""Shared by `pause`, `resume` and `stop`: how the reply of the crawl is shown."""

from telusur.cli.output import answer_json, say
from telusur.pipeline.control.status import IDLE, Status


def tell(address: str, did: str, status: Status | None, words: str, *, as_json: bool) -> int:
    """Show the result; return 0, or 1 when no crawl is running."""
    if as_json:
        state = status.state if status is not None else IDLE
        answer_json({"type": did, "ok": status is not None, "state": state})
    if status is None:
        say(f"{address}: no crawl is running.")
        return 1
    if not as_json:
        say(words)
    return 0
