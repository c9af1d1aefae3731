"""Turns libcurl's results into ours: status, headers, or the reason why there is no response."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus

import pycurl

from telusur.models import Reason

_KNOWN = {status.value for status in HTTPStatus}
# Longer header lines are not remembered.
SHORT_LINE_BYTES = 200
E_PROXY = 97  # curl.h: a SOCKS proxy failed; pycurl has no name for it
_REASONS = {
    pycurl.E_OPERATION_TIMEDOUT: Reason.TIMEOUT,
    pycurl.E_COULDNT_RESOLVE_HOST: f"{Reason.NETWORK}: no such host",
    pycurl.E_COULDNT_CONNECT: f"{Reason.NETWORK}: no connection",
    pycurl.E_GOT_NOTHING: f"{Reason.BAD_RESPONSE}: empty answer",
    pycurl.E_RECV_ERROR: f"{Reason.NETWORK}: connection broke",
    pycurl.E_SEND_ERROR: f"{Reason.NETWORK}: connection broke",
    pycurl.E_PARTIAL_FILE: f"{Reason.BAD_RESPONSE}: cut short",
    pycurl.E_SSL_CONNECT_ERROR: f"{Reason.NETWORK}: TLS failed",
    pycurl.E_PEER_FAILED_VERIFICATION: f"{Reason.NETWORK}: certificate not valid",
    pycurl.E_COULDNT_RESOLVE_PROXY: f"{Reason.NETWORK}: no such proxy",
    pycurl.E_SSL_CACERT_BADFILE: f"{Reason.NETWORK}: no certificate authorities",
    pycurl.E_UNSUPPORTED_PROTOCOL: f"{Reason.BAD_RESPONSE}: not HTTP",
}


def reason_of(number: int, words: str, proxy: str = "") -> str:
    """Return why a transfer failed, from libcurl's error number and words.

    `proxy` is the one it went through, without its password.
    """
    if "CONNECT tunnel failed" in words or number == E_PROXY:
        return f"{Reason.NETWORK}: the proxy {proxy} refused".replace("  ", " ")
    if proxy and number == pycurl.E_COULDNT_CONNECT:
        return f"{Reason.NETWORK}: no connection to the proxy {proxy}"
    if proxy and number == pycurl.E_COULDNT_RESOLVE_PROXY:
        return f"{Reason.NETWORK}: no such proxy, {proxy}"
    return str(_REASONS.get(number, f"{Reason.BAD_RESPONSE}: {words or number}"))


@dataclass(slots=True, frozen=True)
class CurlAnswer:
    """The head of a response; the status is None if it is not HTTP."""

    status: int | None
    status_line: str
    headers: tuple[tuple[str, str], ...]

    def header(self, name: str) -> str:
        """Return the first value of a header, its name in lower case; empty if there is none."""
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return ""


def read_answer(lines: Sequence[bytes]) -> CurlAnswer:
    """Read the header lines from libcurl, which may include earlier responses before the last.

    Headers become text; encoded in Latin-1 it gives the same bytes.
    """
    first = next((n for n in reversed(range(len(lines))) if lines[n].startswith(b"HTTP/")), 0)
    status, status_line = _read_status(lines[first] if lines else b"")
    fields = [_read_field(line) for line in lines[first + 1 :]]
    return CurlAnswer(status, status_line, tuple([field for field in fields if field is not None]))


def _read_field(line: bytes) -> tuple[str, str] | None:
    return _split_known(line) if len(line) <= SHORT_LINE_BYTES else _split(line)


def _split(line: bytes) -> tuple[str, str] | None:
    name, colon, value = line.decode("latin-1").partition(":")
    return (name.strip(), value.strip()) if colon else None


# A server sends most lines again and again.
_split_known = lru_cache(maxsize=1024)(_split)


def _read_status(line: bytes) -> tuple[int | None, str]:
    text = line.decode("latin-1")
    status = _status_of(text)
    return status, _as_http_1(text.strip(), status)


def _as_http_1(line: str, status: int | None) -> str:
    """Return the status line for the archive, whose records are HTTP/1.1 messages.

    HTTP/2 has none: libcurl invents one (`HTTP/2 200`), which archive readers do not understand.
    """
    if status is not None and line.startswith(("HTTP/2 ", "HTTP/3 ")):
        phrase = HTTPStatus(status).phrase if status in _KNOWN else ""
        return f"HTTP/1.1 {status} {phrase}".rstrip()
    return line


def _status_of(line: str) -> int | None:
    parts = line.split(None, 2)
    if len(parts) > 1 and len(parts[1]) == 3 and parts[1].isdecimal() and parts[1].isascii():
        return int(parts[1])
    return None
