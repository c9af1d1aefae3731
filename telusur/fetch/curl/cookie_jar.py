"""The cookies of a crawl: shared by all requests, and bounded, as in browsers.

libcurl keeps every cookie and compares each new one with all others of the same site. A server that
sets other cookies with each response would so make every request slower than the one before.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

import pycurl

# The limits of browsers (RFC 6265, section 6.1, asks for at least 50 and 3,000).
MOST_OF_DOMAIN = 180
MOST_IN_ALL = 3_000
# After this many new cookies the jar is looked through.
LOOK_AFTER = 1_000
_SET_COOKIE = b"set-cookie:"
_INITIALS = (b"s", b"S")
_HTTP_ONLY = b"#HttpOnly_"

# Domain, path and name.
_Key = tuple[bytes, bytes, bytes]


class CookieJar:
    """Cookies of a file, which stay, and cookies of servers, of which the newest stay."""

    def __init__(self, file: str | None = None) -> None:
        self._share = pycurl.CurlShare()
        self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._given = self._load(file) if file is not None else frozenset()
        self._new = 0

    def _load(self, file: str) -> frozenset[_Key]:
        """Read the file once; a handle that keeps its name would read it before each request."""
        handle = pycurl.Curl()
        self._open_for(handle, file)
        handle.setopt(pycurl.COOKIELIST, "RELOAD")
        given = frozenset(map(_key_of, handle.getinfo_raw(pycurl.INFO_COOKIELIST)))
        handle.close()
        return given

    def open_for(self, handle: Any) -> None:
        """Let a handle send and store cookies."""
        self._open_for(handle, "")

    def _open_for(self, handle: Any, file: str) -> None:
        handle.setopt(pycurl.SHARE, self._share)
        handle.setopt(pycurl.COOKIEFILE, file)

    def heed(self, handle: Any, lines: Iterable[bytes]) -> None:
        """Count the cookies in the header lines of a response, and discard old ones in time."""
        for line in lines:
            if line[:1] in _INITIALS and line[: len(_SET_COOKIE)].lower() == _SET_COOKIE:
                self._new += 1
        if self._new < LOOK_AFTER:
            return
        self._new = 0
        held = handle.getinfo_raw(pycurl.INFO_COOKIELIST)
        kept = keep_newest(held, self._given)
        if len(kept) < len(held):
            handle.setopt(pycurl.COOKIELIST, "ALL")
            for line in kept:
                handle.setopt(pycurl.COOKIELIST, line)


def keep_newest(held: Iterable[bytes], given: Collection[_Key]) -> list[bytes]:
    """Return the cookies that stay, of those in a jar, oldest first.

    Domains with many cookies lose theirs first, so no domain can push out those of all others.
    """
    stays: list[bytes] = []
    of_domains: dict[bytes, list[bytes]] = defaultdict(list)
    for line in held:
        key = _key_of(line)
        (stays if key in given else of_domains[key[0]]).append(line)
    most = MOST_OF_DOMAIN
    while most > 1 and sum(min(len(lines), most) for lines in of_domains.values()) > MOST_IN_ALL:
        most //= 2
    newest = [line for lines in of_domains.values() for line in lines[-most:]]
    return stays + newest[-MOST_IN_ALL:]


def _key_of(line: bytes) -> _Key:
    """Return what makes a cookie in Netscape format another one than all others."""
    domain, _, path, _, _, name, *_ = (*line.removeprefix(_HTTP_ONLY).split(b"\t"), *[b""] * 6)
    return domain.lower().lstrip(b"."), path, name
