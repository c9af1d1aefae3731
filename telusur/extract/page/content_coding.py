"""Undo gzip, deflate, br and zstd without ever inflating more than the caller allows."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli
import zstandard

MAX_LAYERS = 3
_CHUNK = 65_536
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024  # what RFC 9659 lets a server use on the web


class ContentCodingError(ValueError):
    """The Content-Encoding header names a coding we do not know, or too many of them."""


def decode_content(body: bytes, content_encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return the decoded body, at most `limit` bytes, and whether anything is missing from it.

    A body that is not in the coding it claims is taken as it is; a damaged one keeps what came out.
    """
    codings = [name.strip().lower() for name in content_encoding.split(",")]
    codings = [name for name in codings if name not in ("", "identity")]
    if len(codings) > MAX_LAYERS:
        raise ContentCodingError(
            f"{len(codings)} content codings; at most {MAX_LAYERS} are undone."
        )
    truncated = False
    for name in reversed(codings):
        inflate = _INFLATERS.get(name)
        if inflate is None:
            raise ContentCodingError(f"Unknown content coding {name[:40]!r}.")
        body, cut = inflate(body, limit)
        truncated = truncated or cut
    return body[:limit], truncated or len(body) > limit


def _inflate_gzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate one or several gzip members; what follows the last one is junk and ignored."""
    out = bytearray()
    rest = body
    while rest[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        try:
            out += stream.decompress(rest, limit + 1 - len(out))
        except zlib.error:
            out += _inflate_until_damage(rest, zlib.decompressobj(wbits=31), limit + 1 - len(out))
            return bytes(out[:limit]), True
        if len(out) > limit or not stream.eof:
            return bytes(out[:limit]), True
        rest = stream.unused_data
    return (bytes(out), False) if rest is not body else (body, False)


def pieces_of(body: bytes) -> Iterator[bytes]:
    """Cut bytes into pieces."""
    return (body[at : at + _CHUNK] for at in range(0, len(body), _CHUNK))


def gunzip_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Inflate gzip members piece by piece, so that whoever has enough stops, and memory is bounded.

    Of a damaged file what came out before the damage counts; what follows the last member is junk.
    """
    stream = zlib.decompressobj(wbits=31)
    for piece in pieces:
        rest = piece
        while rest:
            if stream.eof:
                if rest[:1] != b"\x1f":
                    return
                stream = zlib.decompressobj(wbits=31)
            before = stream.copy()
            try:
                yield stream.decompress(rest, 4 * _CHUNK)
            except zlib.error:
                yield _inflate_until_damage(rest, before, 4 * _CHUNK)
                return
            rest = stream.unused_data if stream.eof else stream.unconsumed_tail


def _inflate_deflate(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate zlib data, or the raw deflate that some servers send under the same name."""
    for wbits in (15, -15):
        stream = zlib.decompressobj(wbits=wbits)
        try:
            out = stream.decompress(body, limit + 1)
        except zlib.error:
            out = _inflate_until_damage(body, zlib.decompressobj(wbits=wbits), limit + 1)
            if not out:
                continue
            return out[:limit], True
        return out[:limit], len(out) > limit or not stream.eof
    return body, False


def _inflate_until_damage(body: bytes, stream: "zlib._Decompress", limit: int) -> bytes:
    """Inflate in ever smaller steps, keeping what came out before the damage."""
    out = bytearray()
    position, step = 0, 4096
    while position < len(body) and len(out) < limit:
        before = stream.copy()
        try:
            out += stream.decompress(body[position : position + step], limit - len(out))
        except zlib.error:
            if step == 1:
                break
            stream, step = before, max(1, step // 8)
            continue
        if stream.eof:
            break
        position += step
    return bytes(out)


def _inflate_brotli(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate brotli; it has no mark of its own, so text that yields nothing is taken as plain."""
    stream = brotli.Decompressor()
    out = bytearray()
    feed = body
    try:
        while not stream.is_finished() and len(out) <= limit:
            piece = stream.process(feed, output_buffer_limit=min(_CHUNK, limit + 1 - len(out)))
            out += piece
            feed = b""
            if not piece and stream.can_accept_more_data():
                break
    except brotli.error:
        return (bytes(out[:limit]), True) if out else (body, False)
    if not out and not stream.is_finished() and not _CONTROL_BYTES.search(body[:200]):
        return body, False
    return bytes(out[:limit]), len(out) > limit or not stream.is_finished()


def _inflate_zstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate one or several zstd frames; what follows the last one is junk and ignored."""
    out = bytearray()
    start = 0
    while body[start : start + 4] == _ZSTD_MAGIC:
        end = _end_of_zstd_frame(body, start)
        decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
        reader = decompressor.stream_reader(body[start:end])
        try:
            while len(out) <= limit and (piece := reader.read(min(_CHUNK, limit + 1 - len(out)))):
                out += piece
        except zstandard.ZstdError:
            return bytes(out[:limit]), True
        if end is None or len(out) > limit:
            return bytes(out[:limit]), True
        start = end
    return (bytes(out), False) if start else (body, False)


def _end_of_zstd_frame(body: bytes, start: int) -> int | None:
    """Return where the frame ends, or None when it is cut off (RFC 8878, section 3.1.1)."""
    try:
        header = body[start : start + 18]
        position = start + zstandard.frame_header_size(header)
        checksum = 4 if zstandard.get_frame_parameters(header).has_checksum else 0
    except zstandard.ZstdError:
        return None
    while position + 3 <= len(body):
        block = int.from_bytes(body[position : position + 3], "little")
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        position += 3 + (1 if kind == 1 else size)
        if is_last:
            return position + checksum if position + checksum <= len(body) else None
    return None


_INFLATERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": _inflate_gzip,
    "x-gzip": _inflate_gzip,
    "deflate": _inflate_deflate,
    "br": _inflate_brotli,
    "zstd": _inflate_zstd,
}
