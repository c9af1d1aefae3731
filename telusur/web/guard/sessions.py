"""Sessions of visitors who gave a password or the key; on the server, so logout works at once."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

SESSION_SECONDS = 30 * 24 * 3600
MOST_SESSIONS = 10_000


class Sessions:
    """Issues session secrets and knows which are valid; all end with the server."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        # Looked up by digest, so that timing reveals nothing about a secret.
        self._until: OrderedDict[bytes, float] = OrderedDict()

    def begin(self) -> str:
        """Start a session and return its secret."""
        secret = secrets.token_urlsafe(32)
        self._until[_digest(secret)] = self._clock() + SESSION_SECONDS
        if len(self._until) > MOST_SESSIONS:
            self._until.popitem(last=False)
        return secret

    def holds(self, secret: str) -> bool:
        """Tell whether a secret belongs to a session that is neither too old nor ended."""
        return self._until.get(_digest(secret), 0.0) > self._clock()

    def end(self, secret: str) -> None:
        """End the session of a secret."""
        self._until.pop(_digest(secret), None)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()
