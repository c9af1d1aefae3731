"""The posts of a thread and the comments of an article, from the archive of a crawl."""

import html

import pytest

from telusur.collection import open_collection
from tests.extract.threads import test_comments, test_posts
from tests.sites import serving
from tests.web.conftest import run_workbench

THREAD = test_posts.page(test_posts.SHAPES["classes"])
HOSTILE = "<b>bold</b> &lt;script&gt;harm()&lt;/script&gt; and so on, says the reader of this page."
ARTICLE = test_comments.page(
    "<div id=comments><ol class=commentlist>"
    + "".join(test_comments.comment(n, f"{HOSTILE} Number {n}.") for n in (1, 2, 3))
    + "</ol></div>"
)
PAGES = {
    "/": "<title>Start</title><p>It is here.<a href=/forum/t/7>a</a><a href=/mill>b</a>",
    "/forum/t/7": THREAD,
    "/mill": ARTICLE,
}


@pytest.fixture(scope="module")
def site():
    with serving(PAGES) as site:
        yield site


@pytest.fixture(scope="module")
def shown(site, tmp_path_factory):
    directory = tmp_path_factory.mktemp("discussion") / "library"
    with open_collection(directory) as collection:
        collection.crawl([site.url()], delay=0, allow_private=True)
        with run_workbench(collection) as running:
            yield running


def test_the_posts_of_a_thread(shown, site):
    url = site.url("/forum/t/7")
    found = shown.get(f"/page/posts.json?url={url}").json
    assert (found["posts"], found["comments"], found["total"]) == (4, 0, 4)
    assert [each["author"] for each in found["entries"]] == list(test_posts.PEOPLE)
    assert {each["kind"] for each in found["entries"]} == {"post"}
    first = found["entries"][0]
    assert first["date"] == "2024-05-03T10:20"
    text = html.unescape(shown.get(f"/page/posts?url={url}").text)
    assert "4 posts of a thread" in text
    assert f'href="{first["author_url"]}"' in text
    assert "2024-05-03 10:20</time>" in text
    for row in test_posts.TEXTS[2].split("\n"):
        assert f'<p dir="auto">{row}</p>' in text


def test_the_list_of_posts_has_pages(shown, site):
    url = site.url("/forum/t/7")
    found = shown.get(f"/page/posts.json?url={url}&limit=3").json
    assert [each["number"] for each in found["entries"]] == [1, 2, 3]
    following = shown.get(found["next_url"].removeprefix(shown.url)).json
    assert [each["number"] for each in following["entries"]] == [4]
    assert following["next_url"] is None
    assert "1–3 of 4 posts" in shown.get(f"/page/posts?url={url}&limit=3").text


def test_the_comments_of_an_article_as_text(shown, site):
    url = site.url("/mill")
    found = shown.get(f"/page/posts.json?url={url}").json
    assert (found["posts"], found["comments"]) == (0, 3)
    assert "<script>harm()" in found["entries"][0]["text"]
    text = shown.get(f"/page/posts?url={url}").text
    assert "3 comments of readers" in text
    assert "&lt;script&gt;harm()" in text
    assert "<script>harm()" not in text
    assert 'id="comment-3"' in text


def test_a_page_without_either(shown, site):
    url = site.url("/")
    assert shown.get(f"/page/posts.json?url={url}").json["entries"] == []
    assert "No posts of a thread and no comments" in shown.get(f"/page/posts?url={url}").text


def test_an_unknown_page(shown, site):
    url = site.url("/unknown")
    assert shown.get(f"/page/posts.json?url={url}").status == 404
    assert shown.get(f"/page/posts?url={url}").status == 404
