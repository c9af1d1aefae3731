"""Records that a stranger wrote, as `telusur verify` reads them."""

import gzip
import hashlib

import pytest

from telusur.backends.warc.scan import scan_records

BODY = b"HTTP/1.1 200 OK\r\n\r\nbody"


def problem_of(tmp_path, *fields, block=BODY):
    path = tmp_path / "telusur-00001.warc.gz"
    head = "\r\n".join(("WARC/1.1", "WARC-Type: response", *fields))
    path.write_bytes(gzip.compress(head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n"))
    [record] = scan_records(path, path.stat().st_size, lambda size: None)
    return record.problem


LENGTH = f"Content-Length: {len(BODY)}"


def test_a_record_is_fine(tmp_path):
    digest = hashlib.sha256(b"body").hexdigest()
    assert problem_of(tmp_path, LENGTH) == ""
    assert problem_of(tmp_path, f"WARC-Payload-Digest: sha256:{digest}", LENGTH) == ""
    assert "digest" in problem_of(tmp_path, "WARC-Payload-Digest: sha256:x", LENGTH)


@pytest.mark.parametrize("length", ["9" * 5000, "1" * 19, "-1", "x", ""])
def test_a_length_that_is_none_is_damage(tmp_path, length):
    assert "no length" in problem_of(tmp_path, f"Content-Length: {length}")


@pytest.mark.parametrize("name", ["shake_128", "shake_256", "nonsense", ""])
def test_a_digest_of_an_unknown_kind_is_not_checked(tmp_path, name):
    assert problem_of(tmp_path, f"WARC-Payload-Digest: {name}:x", LENGTH) == ""
