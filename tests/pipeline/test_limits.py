import pytest

import telusur
from telusur.errors import UsageError
from tests.sites import Answer, page, serving


def crawl(tmp_path, site, **settings):
    """Crawl a site; return how it ended and the reason of each URL that is known."""
    with serving(site) as served, telusur.open(tmp_path / "c") as collection:
        fast = {"allow_private": True, "delay": 0, "index": False}
        summary = collection.crawl([served.url()], **fast, **settings)
        stories = {path: collection.why(served.url(path)) for path in site}
        return summary, {path: story.reason for path, story in stories.items() if story}


def test_a_crawl_ends_by_its_size(tmp_path, monkeypatch):
    # However slowly they are parsed, pages that have come count.
    monkeypatch.setattr("telusur.pipeline.scouter.GRACE_SECONDS", 100.0)
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(50))
    site = {"/": page("Start", links)}
    site |= {f"/{number}": page(f"Page {number}", "x" * 10_000) for number in range(50)}
    summary, _ = crawl(tmp_path, site, total_bytes=60_000)
    assert summary.outcome == "bytes"
    assert 3 <= summary.progress.pages < 50
    with telusur.open(tmp_path / "c") as collection:
        assert collection.counts().waiting + summary.progress.pages == 51


def test_only_the_wanted_types_are_kept(tmp_path):
    plain = Answer("plain words", headers={"Content-Type": "text/plain"})
    site = {
        "/": page("Start", '<a href="/a">a</a><a href="/b">b</a>'),
        "/a": plain,
        "/b": page("B"),
    }
    _, reasons = crawl(tmp_path, site, content_type=("text/html",))
    assert reasons == {"/": "", "/a": "content type: text/plain", "/b": ""}


def test_other_types_are_kept_if_they_are_asked_for(tmp_path):
    def answer(body, kind):
        return Answer(body, headers={"Content-Type": kind})

    pdf = b"%PDF-1.7 \x00\x01\x02 lighthouse"
    site = {
        "/": page("Start", "".join(f'<a href="/{name}">{name}</a>' for name in "jxpi")),
        "/j": answer('{"keeper": "Marta"}', "application/json"),
        "/x": answer("<?xml version='1.0'?><w><n>lighthouse keeper</n></w>", "text/xml"),
        "/p": answer(pdf, "application/pdf"),
        "/i": answer(b"\x89PNG", "image/png"),
    }
    types = ("text/*", "application/json", "application/PDF")
    _, reasons = crawl(tmp_path, site, content_type=types)
    assert reasons == {"/": "", "/j": "", "/x": "", "/p": "", "/i": "content type: image/png"}
    with telusur.open(tmp_path / "c") as collection:
        texts = {row["url"].rpartition("/")[2]: row["text"] for row in collection.pages()}
        (pdf_url,) = [row["url"] for row in collection.pages() if row["url"].endswith("/p")]
        assert collection.page(pdf_url).body == pdf
        assert collection.document(pdf_url) is None
        assert collection.html(pdf_url) is None
    assert (texts["j"], texts["x"], texts["p"]) == ('{"keeper": "Marta"}', "lighthouse keeper", "")


def test_what_is_no_media_type_is_told_before_anything_is_fetched(tmp_path):
    with (
        telusur.open(tmp_path / "c") as collection,
        pytest.raises(UsageError, match="--content-type 'html' is not a media type; name one"),
    ):
        collection.crawl(["http://127.0.0.1:9/"], content_type=["html"], allow_private=True)
