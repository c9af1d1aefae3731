import gzip
import random
import subprocess
import sys
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from telusur.extract.page import content_coding
from telusur.extract.page.content_coding import MAX_MEMBERS, ContentCodingError, decode_content
from telusur.extract.sitemap import read_sitemap

PLAIN = b"<p>Half of a lighthouse is stairs.</p>" * 100
LIMIT = 1_000_000


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate ": raw_deflate,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("name", PACKERS)
def test_whole(name):
    assert decode_content(PACKERS[name](PLAIN), name.upper(), LIMIT) == (PLAIN, False)


@pytest.mark.parametrize("name", ["", "identity", "identity, identity", ","])
def test_nothing_to_undo(name):
    assert decode_content(PLAIN, name, LIMIT) == (PLAIN, False)


@pytest.mark.parametrize("name", PACKERS)
def test_claimed_but_plain(name):
    assert decode_content(b"Plain after all", name, LIMIT) == (b"Plain after all", False)


@pytest.mark.parametrize("name", PACKERS)
def test_cut_in_half(name):
    data = random.Random(1).randbytes(50_000)
    body = PACKERS[name](data)
    out, truncated = decode_content(body[: len(body) // 2], name, LIMIT)
    assert truncated
    assert data.startswith(out)
    assert name == "zstd" or len(out) > 10_000


@pytest.mark.parametrize("name", ["gzip", "deflate", "deflate ", "zstd"])
def test_trailing_junk(name):
    assert decode_content(PACKERS[name](PLAIN) + b"junk follows", name, LIMIT) == (PLAIN, False)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_several_members(name):
    assert decode_content(PACKERS[name](PLAIN) * 3, name, LIMIT) == (PLAIN * 3, False)


def test_damage_in_the_middle_keeps_the_beginning():
    body = bytearray(gzip.compress(random.Random(1).randbytes(200_000), compresslevel=1))
    body[-8:-4] = b"\xff\xff\xff\xff"
    out, truncated = decode_content(bytes(body), "gzip", LIMIT)
    assert truncated
    assert len(out) == 200_000


def test_layers():
    body = brotli.compress(gzip.compress(PLAIN))
    assert decode_content(body, "gzip, br", LIMIT) == (PLAIN, False)


@pytest.mark.parametrize("name", ["sdch-x", "gzip, exi", "br, br, br, br", "gzip," * 50])
def test_refused(name):
    with pytest.raises(ContentCodingError):
        decode_content(PLAIN, name, LIMIT)


@pytest.mark.parametrize("name", PACKERS)
def test_output_is_capped(name):
    assert decode_content(PACKERS[name](PLAIN), name, 100) == (PLAIN[:100], True)
    assert decode_content(PACKERS[name](PLAIN), name, len(PLAIN)) == (PLAIN, False)


@pytest.mark.parametrize(
    "name",
    [
        "br",
        "gzip, gzip",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("gzip", "deflate", "zstd", "zstd, br")
        ),
    ],
)
def test_bombs_stay_small(name):
    code = f"""
import resource, gzip, zlib, brotli, zstandard
from telusur.extract.page.content_coding import decode_content
pack = {{"gzip": gzip.compress, "deflate": zlib.compress,
         "br": lambda b: brotli.compress(b, quality=5), "zstd": zstandard.compress}}
body = bytes(300_000_000)
for layer in {name!r}.split(", "):
    body = pack[layer](body)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out, truncated = decode_content(body, {name!r}, 5_000_000)
assert (len(out), truncated) == (5_000_000, True), (len(out), truncated)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert after - before < 40_000, after - before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


class CountingStream:
    """A decompressor that counts what goes in, and what it hands back to be fed again."""

    made = 0
    handled = 0

    def __init__(self, stream):
        self._stream = stream

    def decompress(self, data, *limit):
        out = self._stream.decompress(data, *limit)
        CountingStream.handled += len(data) + len(self._stream.unused_data)
        return out

    def copy(self):
        return CountingStream(self._stream.copy())

    def __getattr__(self, name):
        return getattr(self._stream, name)


@pytest.fixture
def counted(monkeypatch):
    """Count the work of zlib: decompressors made, and bytes that pass through them."""
    make = zlib.decompressobj

    def make_counted(*args, **named):
        CountingStream.made += 1
        return CountingStream(make(*args, **named))

    CountingStream.made = CountingStream.handled = 0
    monkeypatch.setattr(content_coding.zlib, "decompressobj", make_counted)
    return CountingStream


MANY = 5 * MAX_MEMBERS


def test_many_empty_gzip_members_cost_no_more_than_a_few_times_their_size(counted):
    body = gzip.compress(b"") * MANY
    out, truncated = decode_content(body, "gzip", LIMIT)
    assert (out, truncated) == (b"", True)
    assert counted.made <= MAX_MEMBERS
    assert counted.handled <= 2 * 65_536 * MAX_MEMBERS


def test_what_zlib_hands_back_never_is_the_whole_rest(counted):
    body = gzip.compress(random.Random(1).randbytes(100_000)) * 50  # 5 MB in 50 members
    out, truncated = decode_content(body, "gzip", 10 * LIMIT)
    assert (len(out), truncated) == (5_000_000, False)
    assert counted.handled < 3 * len(body)


def test_a_sitemap_of_many_gzip_members_is_cut(counted):
    body = gzip.compress(b"http://a.example/1\n") + gzip.compress(b"") * MANY
    sitemap = read_sitemap(body)
    assert [entry.url for entry in sitemap.entries] == ["http://a.example/1"]
    assert counted.made <= MAX_MEMBERS


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_of_too_many_members_the_first_are_undone(name):
    out, truncated = decode_content(PACKERS[name](b"ab") * MANY, name, LIMIT)
    assert (out, truncated) == (b"ab" * MAX_MEMBERS, True)
    out, truncated = decode_content(PACKERS[name](b"ab") * MAX_MEMBERS, name, LIMIT)
    assert (out, truncated) == (b"ab" * MAX_MEMBERS, False)


def test_a_member_may_begin_where_a_piece_ends():
    ends = set()
    for more in range(40):
        first = gzip.compress(bytes(65_490 + more), compresslevel=0)
        ends.add(len(first))
        assert decode_content(first + gzip.compress(b"end"), "gzip", LIMIT)[0].endswith(b"end")
    assert {65_535, 65_536} <= ends


def test_blocks_of_zstd_are_not_counted_one_by_one_without_end():
    stream = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    frame = stream.compress(b"tide") + stream.flush()
    at = zstandard.frame_header_size(frame)
    body = frame[:at] + b"\x00\x00\x00" * 150_000 + frame[at:]
    assert decode_content(body, "zstd", LIMIT) == (b"tide", True)


def test_brotli_is_fed_in_pieces(monkeypatch):
    fed = []
    make = brotli.Decompressor

    class Counting:
        def __init__(self):
            self._stream = make()

        def process(self, data, **limits):
            fed.append(len(data))
            return self._stream.process(data, **limits)

        def __getattr__(self, name):
            return getattr(self._stream, name)

    data = random.Random(3).randbytes(500_000)
    body = brotli.compress(data, quality=1)
    monkeypatch.setattr(content_coding.brotli, "Decompressor", Counting)
    assert decode_content(body, "br", LIMIT) == (data, False)
    assert max(fed) <= 65_536
    assert sum(fed) == len(body)


@given(
    st.binary(max_size=300),
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate"]),
)
def test_any_bytes(body, name):
    for prefix in (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c"):
        out, _ = decode_content(prefix + body, name, 1000)
        assert len(out) <= 1000
