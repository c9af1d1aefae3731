"""TLS and HTTP/2 with real servers: who is believed, what is spoken, what the archive says."""

from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

import telusur
from telusur.errors import UsageError
from telusur.fetch.curl.handle import Trust, system_bundle
from tests.fetch.curl.test_client import fetch
from tests.secure_sites import AUTHORITY, serving_securely


def test_a_certificate_of_a_known_authority_is_believed():
    with serving_securely() as url:
        result = fetch(url, trust=Trust(AUTHORITY))
    assert (result.status, result.status_line) == (200, "HTTP/1.1 200 OK")
    assert b"Over TLS." in result.body


def test_a_certificate_of_nobody_we_know_is_refused():
    with serving_securely() as url:
        result = fetch(url)
    assert (result.status, result.reason) == (None, "network: certificate not valid")


def test_a_certificate_for_another_name_is_refused():
    with serving_securely() as url:
        result = fetch(url.replace("localhost", "127.0.0.2"), trust=Trust(AUTHORITY))
    # Nothing listens there, or the name is wrong: in no case is there a page.
    assert result.status is None
    with serving_securely() as url:
        wrong = fetch(url.replace("localhost", "[::ffff:127.0.0.1]"), trust=Trust(AUTHORITY))
    assert (wrong.status, wrong.reason) == (None, "network: certificate not valid")


def test_insecure_believes_anybody():
    with serving_securely() as url:
        assert fetch(url, trust=Trust(insecure=True)).status == 200


def test_http_2_is_spoken_where_the_server_can():
    with serving_securely(speaks="h2") as url:
        result = fetch(url, trust=Trust(AUTHORITY))
    assert result.status == 200
    assert result.header("x-speaks") == "h2"
    assert result.status_line == "HTTP/1.1 200 OK"


def test_a_page_over_http_2_is_archived_as_a_message_that_others_read(tmp_path):
    with serving_securely(speaks="h2") as url, telusur.open(tmp_path / "c") as collection:
        collection.crawl([url], allow_private=True, delay=0, index=False, ca_bundle=AUTHORITY)
        assert collection.why(url).state == "done"
        assert collection.page(url).status == 200
    [path] = (tmp_path / "c" / "archive").glob("*.warc.gz")
    with path.open("rb") as file:
        answers = [
            (record.http_headers.protocol, record.http_headers.statusline)
            for record in ArchiveIterator(file, verify_http=True)
            if record.rec_type == "response"
        ]
    assert answers == [("HTTP/1.1", "404 Not Found"), ("HTTP/1.1", "200 OK")]


def test_a_crawl_tells_why_a_certificate_was_refused(tmp_path):
    with serving_securely() as url, telusur.open(tmp_path / "c") as collection:
        collection.crawl([url], allow_private=True, delay=0, index=False)
        story = collection.why(url)
    assert (story.state, story.reason) == ("failed", "network: certificate not valid")


def test_a_bundle_without_certificates_is_named_before_anything_is_fetched(tmp_path):
    empty = tmp_path / "empty.pem"
    empty.write_text("no certificate")
    for path in (empty, tmp_path / "missing.pem"):
        with pytest.raises(UsageError, match=r"--ca-bundle: .* is not a file of certificates"):
            Trust(str(path)).check()
    Trust(AUTHORITY).check()


def test_the_authorities_of_this_system_are_found_where_it_has_some():
    """libcurl's own idea of where they are is right on one family of systems only."""
    bundle = system_bundle()
    assert bundle is None or "BEGIN CERTIFICATE" in Path(bundle).read_text(encoding="latin-1")
