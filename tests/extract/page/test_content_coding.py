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

from telusur.extract.content_coding import ContentCodingError, decode_content

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


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "zstd, br"])
def test_bombs_stay_small(name):
    code = f"""
import resource, gzip, zlib, brotli, zstandard
from telusur.extract.content_coding import decode_content
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


@given(
    st.binary(max_size=300),
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate"]),
)
def test_any_bytes(body, name):
    for prefix in (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c"):
        out, _ = decode_content(prefix + body, name, 1000)
        assert len(out) <= 1000
