"""Records that unpack to more than they may."""

import zlib

import pytest

from telusur.crawl import unpacking
from telusur.crawl.unpacking import MOST_TIMES, unpack

GZIP = 31


def packed(data, kind=15):
    stream = zlib.compressobj(wbits=kind)
    return stream.compress(data) + stream.flush()


@pytest.mark.parametrize("kind", [15, GZIP])
@pytest.mark.parametrize("data", [b"", b"x", bytes(1_000_000)])
def test_a_record_is_unpacked(data, kind):
    assert unpack(packed(data, kind), kind) == data


def test_a_record_that_unpacks_to_far_more_is_refused(monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS_BYTES", 1000)
    record = packed(bytes(1_000_000))
    assert 1000 + MOST_TIMES * len(record) < 1_000_000
    with pytest.raises(ValueError, match="larger than it may be"):
        unpack(record)


@pytest.mark.parametrize("record", [b"", b"nonsense", packed(bytes(range(256)) * 9)[:-9]])
def test_a_damaged_record_is_refused(record):
    with pytest.raises(ValueError, match=r"."):
        unpack(record)
