import gzip

import pytest

from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.extract.page.binary import looks_binary
from telusur.extract.page.dom import MAX_CHARACTERS
from telusur.models import Page
from telusur.pipeline.parsing.page_parser import PageParser, ParseJob
from telusur.settings import CrawlSettings
from tests.sites import page as html

URL = "http://example.org/a"


def parse(body, *headers, **settings):
    body = body.encode() if isinstance(body, str) else body
    scope = Scope([URL], CrawlSettings(**settings))
    parser = PageParser(Discovery(scope), "article", 1_000_000)
    fields = headers or (("Content-Type", "text/html; charset=utf-8"),)
    return parser.parse(ParseJob.of(Page(URL, 200, headers=fields, body=body), 0))


def test_a_page_becomes_a_document_with_judged_links():
    parsed = parse(html("Tea", "Tea is grown on hills.", ["/b", "http://other.net/"]))
    assert parsed.document.title == "Tea"
    assert "Tea is grown on hills." in parsed.document.text
    assert [bool(found.skip_reason) for found in parsed.fresh] == [False, True]
    assert parsed.size_bytes == len(
        html("Tea", "Tea is grown on hills.", ["/b", "http://other.net/"])
    )


def test_compressed_pages_are_decoded():
    body = gzip.compress(html("Tea").encode())
    parsed = parse(body, ("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    assert parsed.document.title == "Tea"


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_of_a_huge_page_the_beginning_is_read(kind):
    line = "<p>Tea is grown on hills above the sea.</p>\n"
    body = (f"<title>Tea</title>{line}" + line * (5_000_000 // len(line))).encode()
    scope = Scope([URL], CrawlSettings())
    parser = PageParser(Discovery(scope), "text", 10_000_000)
    parsed = parser.parse(ParseJob(URL, 0, [("content-type", kind)], body))
    assert parsed.truncated
    assert parsed.size_bytes == len(body)
    assert "hills above" in parsed.document.text
    assert len(parsed.document.text) <= MAX_CHARACTERS
    assert parsed.document.title.startswith("Tea" if kind == "text/html" else "<title>Tea")
    whole = parser.parse(ParseJob(URL, 0, [("content-type", kind)], body[:1_500_000]))
    assert not whole.truncated


def test_an_unknown_coding_is_a_reason():
    parsed = parse(b"x", ("Content-Type", "text/html"), ("Content-Encoding", "rot13"))
    assert parsed.document is None
    assert parsed.skip_reason.startswith("bad response")


def test_plain_text_is_a_document_too():
    parsed = parse("First line\nand more <b>not markup</b>", ("Content-Type", "text/plain"))
    assert parsed.document.title == "First line"
    assert "<b>not markup</b>" in parsed.document.text


@pytest.mark.parametrize(
    ("body", "is_binary"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), True),
        (b"%PDF-1.7 ...", True),
        (bytes(range(256)) * 10, True),
        ("ordinary text, ümläut, 日本語".encode(), False),
        ("日本語のページ".encode("shift_jis"), False),
        ("\ufeffUTF-16 text".encode("utf-16-le"), False),
        (b"", False),
    ],
)
def test_binary_data_is_told_from_text(body, is_binary):
    assert looks_binary(body, "text/html") is is_binary


def test_binary_data_called_html_is_skipped():
    assert parse(b"\x89PNG\r\n\x1a\n" + bytes(100)).skip_reason == "content type: binary data"


@pytest.mark.parametrize(
    ("value", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("NOFOLLOW, noindex", True, True),
        ("none", True, True),
        ("otherbot: noindex", False, False),
        ("otherbot: noindex, telusur: nofollow", False, True),
        ("unavailable_after: 25 Jun 2010, noindex", True, False),
        ("all", False, False),
    ],
)
def test_x_robots_tag(value, noindex, nofollow):
    parsed = parse(html("A", links=["/b"]), ("Content-Type", "text/html"), ("X-Robots-Tag", value))
    assert (parsed.document.noindex, parsed.document.nofollow) == (noindex, nofollow)
    assert bool(parsed.links) is not nofollow


def test_links_marked_nofollow_are_not_followed():
    body = '<p>Text. <a rel="noopener NoFollow" href="/no">n</a> <a href="/yes">y</a>'
    assert [found.link.url for found in parse(body).fresh] == ["http://example.org/yes"]


def test_canonical_by_tag_and_by_header():
    by_tag = parse(html("A", head='<link rel=canonical href="/original">'))
    header = ("Link", '<http://example.org/original>; rel="canonical"')
    by_header = parse(html("A"), ("Content-Type", "text/html"), header)
    own = parse(html("A", head=f'<link rel=canonical href="{URL}">'))
    assert by_tag.canonical_id == by_header.canonical_id
    assert by_tag.canonical_id is not None
    assert own.canonical_id is None
    assert [found.link.url for found in by_tag.fresh] == ["http://example.org/original"]


def test_meta_refresh_is_a_redirect_unless_to_itself():
    away = parse(html("A", head='<meta http-equiv=refresh content="0; url=/b">'))
    assert away.redirect.link.url == "http://example.org/b"
    again = parse(html("A", head=f'<meta http-equiv=refresh content="60; url={URL}">'))
    assert again.redirect is None


def test_equal_pages_share_a_digest():
    text = "The same words stand on both pages, and there are enough of them to be content. " * 5
    assert parse(html("A", text)).digest == parse(html("A", text, ["/x"])).digest
    assert parse(html("A", text)).digest != parse(html("A", text + "Other.")).digest


SHELL = "<title>App</title><div id=root></div><a href=/old>old</a><script src=/app.js></script>"


def job_of(body, **more):
    headers = (("Content-Type", "text/html; charset=utf-8"), ("X-Robots-Tag", "nofollow"))
    page = Page(URL, 200, headers=headers[: 2 if more.pop("nofollow", False) else 1], body=body)
    return ParseJob.of(page, 0)._replace(**more)


def parse_job(*args, **more):
    scope = Scope([URL], CrawlSettings())
    return PageParser(Discovery(scope), "article", 1_000_000).parse(job_of(*args, **more))


def test_an_empty_shell_is_recognised_and_left_at_that():
    parsed = parse_job(SHELL.encode(), stops_at_shell=True)
    assert parsed.is_shell
    assert (parsed.document, parsed.fresh, parsed.size_bytes) == (None, [], len(SHELL))
    assert not parse_job(b"<p>" + b"word " * 100, stops_at_shell=True).is_shell
    assert not parse_job(SHELL.encode()).is_shell


def test_a_rendered_page_is_read_instead_of_its_body():
    parsed = parse_job(SHELL.encode(), rendered=html("Tea", "Grown on hills. " * 20, ["/b"]))
    assert parsed.document.title == "Tea"
    assert [found.link.url for found in parsed.fresh] == ["http://example.org/b"]
    assert parsed.size_bytes == len(SHELL), "the size is that of the answer"


def test_headers_speak_for_a_rendered_page_too():
    parsed = parse_job(SHELL.encode(), rendered=html("Tea", links=["/b"]), nofollow=True)
    assert parsed.fresh == []


def test_where_a_script_leads_counts_when_there_is_nothing_else():
    goal = "http://example.org/goal"
    parsed = parse_job(SHELL.encode(), rendered=SHELL, moved_to=goal)
    assert parsed.redirect.link.url == goal
    parsed = parse_job(SHELL.encode(), rendered=html("Tea", "Text. " * 99), moved_to=goal)
    assert parsed.redirect is None


def test_a_response_is_packed_with_its_final_reading_only():
    parser = PageParser(
        Discovery(Scope([], CrawlSettings())), "text", 10_000_000, packer=lambda page: page.body
    )
    body = b"<!doctype html><div id=root></div><script src=app.js></script>"
    page = Page(URL, 200, headers=(("Content-Type", "text/html"),), body=body)
    job = ParseJob.of(page, 1)
    shell = parser.parse(job._replace(stops_at_shell=True))
    assert (shell.is_shell, shell.packed) == (True, None)
    assert parser.parse(job).packed == body
    assert parser.parse(job._replace(rendered="<p>Drawn")).packed == body
