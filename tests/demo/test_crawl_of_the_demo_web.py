"""The whole program against the truth: the demo web crawled, extracted, indexed and searched."""

import pytest

import telusur
from telusur.extract.page.content_coding import decode_content

# Nothing leads there but a link that asks not to be followed.
NOFOLLOW = "nofollow-link"


@pytest.fixture(scope="module")
def collection(demo):
    with telusur.open(demo.directory) as opened:
        yield opened


def indexable(demo):
    for truth in demo.truth:
        is_page = truth.status == 200 and truth.indexed and truth.allowed
        if is_page and truth.title and truth.kind != "list" and NOFOLLOW not in truth.shows:
            yield truth


def test_every_page_that_may_be_found_is_in_the_index(demo, collection):
    missing = []
    for truth in indexable(demo):
        story = collection.why(truth.url)
        if story is None or not story.indexed:
            missing.append((truth.url, story and (story.state, story.reason)))
    assert not missing


def test_titles_languages_and_texts_are_those_of_the_truth(demo, collection):
    pages = titles = languages = texts = 0
    for truth in indexable(demo):
        document = collection.document(truth.url)
        pages += 1
        titles += document.title == truth.title
        languages += document.language == truth.language
        first = " ".join(truth.text.split()[:8])
        texts += first in " ".join(document.text.split())
    assert pages > 300
    assert titles / pages > 0.97
    assert languages / pages > 0.98
    assert texts / pages > 0.90


def test_what_a_person_cannot_see_is_not_found(demo, collection):
    hidden = [truth for truth in demo.truth if truth.hidden]
    assert hidden
    for truth in hidden:
        document = collection.document(truth.url)
        assert document is None or truth.hidden not in document.text
        words = '"' + " ".join(truth.hidden.split()[:6]) + '"'
        assert truth.url not in {hit.url for hit in collection.search(words).hits}


def test_what_robots_txt_forbids_was_never_asked_for(demo, collection):
    forbidden = {(t.url.split("/")[2], t.path) for t in demo.truth if not t.allowed}
    assert forbidden
    assert forbidden.isdisjoint(demo.asked)


def test_robots_txt_was_asked_for_once_a_site(demo):
    robots = [host for host, path in demo.asked if path == "/robots.txt"]
    assert len(robots) == len(set(robots)) == len(demo.origins) - ("index" in demo.origins)


def test_endless_parts_of_the_web_end(demo):
    assert len(demo.asked) < 1500


def test_no_page_was_fetched_twice_but_those_that_failed_at_first(demo):
    retried = {t.path for t in demo.truth if t.status >= 500 or "flaky-503" in t.shows}
    asked_again = {ask for ask in demo.asked if demo.asked.count(ask) > 1}
    assert {path for _, path in asked_again} <= retried


def test_dead_links_and_redirects_say_so(demo, collection):
    for truth in demo.truth:
        story = collection.why(truth.url)
        if story is None or story.state == "skipped":
            continue
        if truth.status in (404, 410):
            assert (story.state, story.reason) == ("failed", f"http {truth.status}")
        elif truth.status in (301, 302, 307, 308) and "redirect-loop" not in truth.shows:
            assert story.state in ("done", "failed"), truth.url


@pytest.mark.parametrize(
    ("query", "site", "path_part"),
    [
        ("coffee costs four crowns", "news", "why-a-cup-of-coffee"),
        ("moka pot sour", "forum", "coffee-tastes-sour"),
        ("İstanbul", "ansiklopedi", "stanbul"),
        ("ısırgan OR istanbul", "ansiklopedi", ""),
        ("Seegras", "lexikon", "Seegras"),
        ("danau toba", "blog", "danau-toba"),
    ],
)
def test_searches_find_the_page_meant(demo, collection, query, site, path_part):
    best = collection.search(query, limit=3).hits
    assert any(h.url.startswith(demo.origins[site]) and path_part in h.url for h in best), best


def test_pages_made_by_scripts_are_recognised(demo, collection):
    for truth in demo.truth:
        page = collection.page(truth.url)
        if page is not None and page.status == 200:
            body, _ = decode_content(page.body, page.header("content-encoding"), 10**6)
            document = telusur.extract(body, truth.url, content_type=page.header("content-type"))
            is_made_by_script = any(show.startswith("javascript-") for show in truth.shows)
            assert document.needs_browser is is_made_by_script, truth.url


def test_pages_made_by_scripts_are_rendered_and_found(demo, collection):
    made = [t for t in demo.truth if any(show.startswith("javascript-") for show in t.shows)]
    assert len(made) == 2
    for truth in made:
        document = collection.document(truth.url)
        assert " ".join(truth.text.split()) in " ".join(document.text.split())
        assert collection.why(truth.url).events[-1].reason == "rendered in a browser"
        words = '"' + " ".join(truth.text.split()[5:11]) + '"'
        assert truth.url in {hit.url for hit in collection.search(words).hits}


def test_markup_in_a_title_stays_text(demo, collection):
    odd = [truth for truth in demo.truth if "<script>" in (truth.title or "")]
    assert odd
    for truth in odd:
        assert collection.document(truth.url).title == truth.title
