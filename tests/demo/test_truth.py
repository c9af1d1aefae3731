import json
from collections import Counter

import pytest

from telusur.demo.records import Truth
from telusur.demo.truth import truth_lines
from tests.demo import reader

SHOWN = [
    "broken-tables",
    "broken-truncated",
    "broken-unclosed",
    "canonical-elsewhere",
    "charset-iso-8859-9",
    "charset-lies-utf-8",
    "charset-shift-jis",
    "charset-utf-16",
    "charset-windows-1254-meta",
    "dead-404",
    "dead-410",
    "endless",
    "error-500",
    "exact-duplicate",
    "facets",
    "feed-atom",
    "feed-rss",
    "file-pdf",
    "file-png",
    "file-zip",
    "flaky-503",
    "fragment-variants",
    "hidden-attribute",
    "hidden-colour",
    "hidden-display-none",
    "honeypot",
    "javascript-external",
    "javascript-inline",
    "long-title",
    "meta-refresh",
    "near-duplicate",
    "nofollow-link",
    "noindex",
    "pagination",
    "print-version",
    "redirect-301",
    "redirect-302",
    "redirect-307",
    "redirect-chain",
    "redirect-cross-site",
    "redirect-loop",
    "robots-allow",
    "robots-disallow",
    "script-in-title",
    "session-id",
    "sitemap",
    "sitemap-gzip",
    "sitemap-index",
    "soft-404",
    "tracking-parameters",
    "url-spellings",
    "x-robots-tag",
]


def test_every_trap_is_shown_somewhere(web):
    assert set(SHOWN) - {name for one in web.truth for name in one.shows} == set()


def test_urls_are_unique_and_valid(web):
    counts = Counter(one.url for one in web.truth)
    assert [url for url, count in counts.items() if count > 1] == []
    assert all(one.url.isascii() and " " not in one.url for one in web.truth)


def test_there_are_about_three_hundred_pages_to_search(web):
    texts = [one for one in web.truth if one.indexed and one.text]
    assert 300 <= len(texts) <= 360
    languages = Counter(one.language for one in texts)
    assert languages["en"] > 200
    assert min(languages[code] for code in ("id", "tr", "de")) >= 25


def test_every_listed_page_answers_with_its_status(web):
    wrong = [one.url for one in web.truth if reader.ask(web, one.url).status != one.status]
    assert wrong == []


def test_pages_contain_their_text_in_order(web):
    for one in web.truth:
        if one.status != 200 or any(name.startswith("javascript") for name in one.shows):
            continue
        shown = reader.words(reader.ask(web, one.url), one.encoding) if one.text else ""
        position = 0
        for line in one.text.split("\n"):
            found = shown.find(reader.flat(line), position)
            assert found >= 0, (one.url, line)
            position = found + len(reader.flat(line))


def test_articles_show_title_author_and_date(web):
    for one in web.truth:
        if one.kind in ("article", "post", "thread"):
            shown = reader.words(reader.ask(web, one.url))
            assert reader.flat(one.title) in shown
            assert (one.author or "") in shown
            assert (one.date or "") in shown


def test_pages_made_by_script_do_not_contain_their_text(web):
    made = [one for one in web.truth if any(name.startswith("javascript") for name in one.shows)]
    assert len(made) == 2
    for one in made:
        tree = reader.LexborHTMLParser(reader.ask(web, one.url).body)
        tree.strip_tags(["script"])
        assert reader.flat(one.text.split("\n")[0]) not in reader.flat(tree.body.text())


def test_hidden_text_is_in_the_page_and_not_in_the_truth(web):
    hiding = [one for one in web.truth if one.hidden]
    assert len(hiding) == 3
    for one in hiding:
        assert one.hidden.encode() in reader.ask(web, one.url).body
        assert one.hidden not in one.text


def test_angle_brackets_in_a_title_are_escaped(web):
    page = next(one for one in web.truth if "script-in-title" in one.shows)
    body = reader.ask(web, page.url).body
    assert b"<script>" not in body
    assert "<script>alert(1)</script>" in page.title


def test_exact_duplicates_have_the_same_bytes(web):
    twins = [one for one in web.truth if "exact-duplicate" in one.shows]
    assert {one.site for one in twins} == {"news", "docs", "museum"}
    for one in twins:
        assert reader.ask(web, one.url).body == reader.ask(web, one.location).body


@pytest.mark.parametrize("name", ["exact-duplicate", "print-version"])
def test_duplicates_name_their_original(web, name):
    for one in web.truth:
        if name in one.shows:
            original = next(other for other in web.truth if other.url == one.location)
            assert original.text == one.text


def test_lines_give_the_same_truth_back(web):
    lines = truth_lines(web.truth).splitlines()
    again = [Truth(**{**json.loads(line)}) for line in lines]
    assert [one.as_dict() | {"shows": list(one.shows)} for one in web.truth] == [
        one.as_dict() for one in again
    ]
