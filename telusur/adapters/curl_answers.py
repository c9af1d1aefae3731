"""What libcurl says about an answer: status, headers, and why there is none, in our words."""

from collections.abc import Sequence
from http import HTTPStatus

import pycurl

from telusur.models import Reason

_KNOWN = {status.value for status in HTTPStatus}
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


def reason_of(number: int, words: str) -> str:
    """Return why a transfer failed, from libcurl's error number and words."""
    if "CONNECT tunnel failed" in words or number == E_PROXY:
        return f"{Reason.NETWORK}: the proxy refused"
    return str(_REASONS.get(number, f"{Reason.BAD_RESPONSE}: {words or number}"))


def status_line_of(lines: Sequence[bytes]) -> str:
    """Return the status line for the archive, whose records are HTTP/1.1 messages.

    HTTP/2 has none: libcurl makes one up, which readers of archives do not know (`HTTP/2 200`).
    """
    line = lines[0].decode("latin-1").strip() if lines else ""
    status = status_of(lines)
    if status is not None and line.startswith(("HTTP/2 ", "HTTP/3 ")):
        phrase = HTTPStatus(status).phrase if status in _KNOWN else ""
        return f"HTTP/1.1 {status} {phrase}".rstrip()
    return line


def status_of(lines: Sequence[bytes]) -> int | None:
    """Return the status of an answer, or None if it is no HTTP."""
    parts = lines[0].split(None, 2) if lines else []
    if len(parts) > 1 and len(parts[1]) == 3 and parts[1].isdigit():
        return int(parts[1])
    return None


def headers_of(lines: Sequence[bytes]) -> tuple[tuple[str, str], ...]:
    """Return the headers as text that gives back the same bytes in Latin-1."""
    headers = []
    for line in lines[1:]:
        name, colon, value = line.decode("latin-1").partition(":")
        if colon:
            headers.append((name.strip(), value.strip()))
    return tuple(headers)
