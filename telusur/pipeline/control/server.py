"""Answers requests to a running crawl: `status`, `pause`, `resume`, `stop`, `limits`.

A request is a line of JSON: `{"do": "pause"}` or `{"do": "limits", "pages": 100}`. So is the
answer: `{"ok": true, "status": ...}` or `{"ok": false, "error": "one sentence"}`.
"""

import json
from typing import Any, Protocol

from telusur.crawl.limits import Limits, read_limits
from telusur.errors import UsageError
from telusur.pipeline.control.status import Status


class Controllable(Protocol):
    """A crawl that can be watched and controlled."""

    def status(self) -> Status:
        """Return the counters."""
        ...

    def pause(self) -> None:
        """Start no request until resumed."""
        ...

    def resume(self) -> None:
        """Start requests again."""
        ...

    def stop(self) -> None:
        """Stop gracefully."""
        ...

    def limit(self, changes: Limits) -> None:
        """Change the limits."""
        ...


def obey_request(crawl: Controllable, line: bytes) -> dict[str, Any]:
    """Carry out one request and return the answer; a bad request gets one sentence."""
    try:
        request = dict(json.loads(line))
        wish = request.pop("do")
    except (ValueError, TypeError, KeyError, RecursionError):
        return {"ok": False, "error": 'A request is a line such as {"do": "status"}.'}
    if wish == "pause":
        crawl.pause()
    elif wish == "resume":
        crawl.resume()
    elif wish == "stop":
        crawl.stop()
    elif wish == "limits":
        try:
            crawl.limit(read_limits(request))
        except UsageError as error:
            return {"ok": False, "error": str(error)}
    elif wish != "status":
        return {"ok": False, "error": "The requests are status, pause, resume, stop and limits."}
    return {"ok": True, "status": crawl.status().as_record()}
