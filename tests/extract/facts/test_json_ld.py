import json

import pytest

from telusur.extract.facts.json_ld import (
    StructuredData,
    is_article,
    is_forum,
    parse_json,
    read_json_ld,
    types_of,
)
from telusur.extract.page.dom import TagIndex, parse_html


def read(*scripts: object) -> StructuredData:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in scripts]
    html = "".join(f'<script type="application/ld+json">{text}</script>' for text in texts)
    return read_json_ld(TagIndex(parse_html(f"<html><head>{html}</head><body>x</body></html>")))


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article"}',
        '{"@type": "Article",}',
        '{"@type": "Article"};',
        '<!-- {"@type": "Article"} -->',
        '//<![CDATA[\n{"@type": "Article"}\n//]]>',
        "{&quot;@type&quot;: &quot;Article&quot;}",
        '{"@type": "Article"}\n{"@type": "Article"}',
        '{"@type": "Article"}, {broken',
        '[{"@type": "Article",},]',
    ],
)
def test_what_is_usually_wrong_is_mended(text):
    value = parse_json(text)
    first = value[0] if isinstance(value, list) else value
    assert (first[0] if isinstance(first, list) else first)["@type"] == "Article"


def test_control_characters_in_strings_are_read():
    assert parse_json('{"headline": "two\nlines\t\x01"}') == {"headline": "two\nlines\t\x01"}


@pytest.mark.parametrize(
    "text",
    ["", "{", "}", "nothing", "[" * 100_000, '{"a":' * 50_000, "9" * 100_000, ",  " * 50_000],
)
def test_what_is_lost_is_none(text):
    assert parse_json(text) is None


def test_an_article_outranks_the_page_and_other_things():
    found = read(
        {"@graph": [{"@type": "WebPage", "name": "page"}, {"@type": "Product", "name": "ware"}]},
        {"@type": ["https://schema.org/NewsArticle"], "headline": "news"},
        {"@type": "Review", "author": "a customer"},
    )
    assert found.facts.get("headline") == "news"
    assert "author" not in found.facts
    assert found.page["name"] == "page"
    assert found.types == ["webpage", "product", "newsarticle", "review"]


def test_questions_of_an_advice_page_are_not_what_it_is_about():
    question = {"@type": "Question", "name": "How much?", "dateCreated": "2020-01-01"}
    assert read({"@type": "FAQPage", "mainEntity": [question]}).facts == {}
    assert read({"@type": "QAPage", "mainEntity": question}).facts["name"] == "How much?"


def test_references_are_resolved():
    found = read({"@graph": [{"@type": "Person", "@id": "#ada", "name": "Ada"}]})
    assert found.resolve({"@id": "#ada"})["name"] == "Ada"
    assert found.resolve({"@id": "#nobody"}) == {"@id": "#nobody"}
    assert found.resolve("Ada") == "Ada"


def test_kinds():
    assert types_of({"@type": "schema:BlogPosting"}) == ["blogposting"]
    assert types_of({"@type": [5, None, "Person"]}) == ["person"]
    assert is_article(["techarticle"])
    assert not is_article(["webpage", "question"])
    assert is_forum(["discussionforumposting"])


def test_more_than_is_read_is_left_out():
    filler = json.dumps({"@type": "Thing", "text": "x" * 300_000})
    assert read(filler, filler, {"@type": "Article", "headline": "late"}).facts == {}
    many = [{"@type": f"Kind{number}"} for number in range(190)]
    assert len(read(many).types) == 50
