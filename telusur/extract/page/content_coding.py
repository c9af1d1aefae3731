"""Decompresses gzip, deflate, br and zstd, never beyond the limit of the caller."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli
import zstandard

MAX_LAYERS = 3
# The most gzip members or zstd frames of one body; the rest is ignored.
MAX_MEMBERS = 1_000
# The most zstd blocks that are scanned for the end of their frame.
MAX_BLOCKS = 100_000
_CHUNK = 65_536
_MOST_OUT = 4 * _CHUNK
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024  # the limit of RFC 9659 for the web


class ContentCodingError(ValueError):
    """The Content-Encoding header names a coding we do not know, or too many of them."""


def decode_content(body: bytes, content_encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return the decoded body, at most `limit` bytes, and whether anything is missing from it.

    A body that is not in its declared coding is returned unchanged; a damaged one is returned up to
    the damage.
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
    if body[:2] != _GZIP_MAGIC:
        return body, False
    out = bytearray()
    source = _GzipSource(pieces_of(body))
    for piece in source:
        out += piece
        if len(out) > limit:
            return bytes(out[:limit]), True
    return bytes(out), not source.is_whole


def pieces_of(body: bytes) -> Iterator[bytes]:
    """Cut bytes into pieces."""
    return (body[at : at + _CHUNK] for at in range(0, len(body), _CHUNK))


def gunzip_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Decompress gzip members piece by piece, so that callers may stop and memory is bounded.

    A damaged file is read up to the damage; data after the last member is ignored.
    """
    return iter(_GzipSource(pieces))


class _GzipSource:
    """The contents of gzip members, in pieces, and whether the last member was complete.

    zlib returns the data after a member as a copy. So it gets small pieces, and no file may have
    more than `MAX_MEMBERS` members: an empty one has 20 bytes, and each needs a new decompressor.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self._members = 0
        self.is_whole = False

    def __iter__(self) -> Iterator[bytes]:
        stream = None
        start = b""  # of a member that may begin in one piece and go on in the next
        for piece in self._pieces:
            rest, start = start + piece, b""
            while rest:
                if stream is None:
                    if len(rest) < 2 and _GZIP_MAGIC.startswith(rest):
                        start = rest
                        break
                    if rest[:2] != _GZIP_MAGIC:
                        return
                    self._members += 1
                    self.is_whole = False
                    if self._members > MAX_MEMBERS:
                        return
                    stream = zlib.decompressobj(wbits=31)
                before = stream.copy()
                try:
                    yield stream.decompress(rest, _MOST_OUT)
                except zlib.error:
                    yield _inflate_until_damage(rest, before, _MOST_OUT)
                    return
                rest = stream.unconsumed_tail
                if stream.eof:
                    rest, stream, self.is_whole = stream.unused_data, None, True


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
    """Decompress brotli; it has no signature, so data that gives nothing is returned unchanged."""
    stream = brotli.Decompressor()
    out = bytearray()
    try:
        for piece in pieces_of(body):  # it copies the unread rest at each step
            _feed_brotli(stream, piece, out, limit)
            if stream.is_finished() or len(out) > limit:
                break
    except brotli.error:
        return (bytes(out[:limit]), True) if out else (body, False)
    if not out and not stream.is_finished() and not _CONTROL_BYTES.search(body[:200]):
        return body, False
    return bytes(out[:limit]), len(out) > limit or not stream.is_finished()


def _feed_brotli(stream: "brotli.Decompressor", piece: bytes, out: bytearray, limit: int) -> None:
    """Add what a piece makes, until it is used up or there is more than the limit."""
    feed = piece
    while not stream.is_finished() and len(out) <= limit:
        made = stream.process(feed, output_buffer_limit=min(_CHUNK, limit + 1 - len(out)))
        out += made
        feed = b""
        if not made and stream.can_accept_more_data():
            return


def _inflate_zstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Inflate one or several zstd frames; what follows the last one is junk and ignored."""
    out = bytearray()
    start = frames = blocks = 0
    while body[start : start + 4] == _ZSTD_MAGIC:
        frames += 1
        end, more = _end_of_zstd_frame(body, start, MAX_BLOCKS - blocks)
        blocks += more
        if frames > MAX_MEMBERS:
            return bytes(out[:limit]), True
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


def _end_of_zstd_frame(body: bytes, start: int, most: int) -> tuple[int | None, int]:
    """Return where the frame ends, and how many blocks it has (RFC 8878, section 3.1.1).

    It ends nowhere when it is cut off, or has more than `most` blocks.
    """
    try:
        header = body[start : start + 18]
        position = start + zstandard.frame_header_size(header)
        checksum = 4 if zstandard.get_frame_parameters(header).has_checksum else 0
    except zstandard.ZstdError:
        return None, 0
    for count in range(1, most + 1):
        if position + 3 > len(body):
            break
        block = int.from_bytes(body[position : position + 3], "little")
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        position += 3 + (1 if kind == 1 else size)
        if is_last:
            return (position + checksum if position + checksum <= len(body) else None), count
    return None, most


_INFLATERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": _inflate_gzip,
    "x-gzip": _inflate_gzip,
    "deflate": _inflate_deflate,
    "br": _inflate_brotli,
    "zstd": _inflate_zstd,
}
