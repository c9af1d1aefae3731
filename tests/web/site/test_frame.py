"""The frame of a site in the workbench, on the crawled demo web."""

import html

import pytest

from telusur.collection import open_collection
from tests.web.conftest import run_workbench

SITE = "news.localhost"


@pytest.fixture(scope="module")
def shown(demo):
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        yield running


def test_the_page_lists_what_repeats_and_where_titles_stand(shown):
    frame = shown.get(f"/site/frame.json?site={SITE}").json
    text = html.unescape(shown.get(f"/site/frame?site={SITE}").text)
    assert frame["ok"]
    assert frame["is_used"]
    assert frame["texts"]
    for each in frame["texts"][:20]:
        assert each["text"][:40] in text
        assert f"{each['pages']:,} of {frame['pages']:,}" in text
    assert "title" in {each["fact"] for each in frame["facts"]}
    assert {"fact", "is_usual"} <= set(frame["facts"][0])
    assert ("usual</span>" in text) == any(each["is_usual"] for each in frame["facts"])
    for url in frame["looked_at"]:
        assert url in text
    assert 'aria-current="page">Frame</a>' in text


def test_the_blocks_of_a_page_say_what_other_pages_tell(shown):
    (url, *_) = shown.get(f"/site/frame.json?site={SITE}").json["looked_at"]
    blocks = shown.get(f"/page/blocks.json?url={url}").json["blocks"]
    told = [each["on_site"] for each in blocks if each["on_site"]]
    assert any(words.startswith("repeats on ") for words in told)
    text = html.unescape(shown.get(f"/page/blocks?url={url}").text)
    assert told[0] in text


def test_without_a_site_the_sites_are_offered(shown):
    text = shown.get("/site/frame").text
    assert f'href="/site/frame?site={SITE}"' in text
    assert shown.get("/site/frame.json").json["pages"] == 0


def test_an_unknown_site_is_not_found(shown):
    assert shown.get("/site/frame?site=nobody.example").status == 404


def test_a_site_that_was_not_learned_says_how_to(shown, demo_copy):
    with open_collection(demo_copy) as collection:
        session = collection._store.session()
        session.begin()
        session.catalogue.put_site_record(SITE, b"")
        session.commit()
        session.close()
        with run_workbench(collection) as running:
            answer = running.get(f"/site/frame?site={SITE}")
    assert answer.status == 200
    assert "Nothing was learned about this site" in answer.text
