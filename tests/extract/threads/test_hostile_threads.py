import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.extract.document import read_page
from telusur.extract.threads.comments import find_comments
from telusur.extract.threads.posts import find_posts
from telusur.extract.writing.formats import FORMATS, Extras, write_content
from tests.extract.test_hostile import NESTED

PIECES = st.sampled_from([
    "<div class=comment>", "<li class=comment id=comment-1>", "</li>", "</div>",
    "<ul class=comments>", "</ul>", "<a href=/user/1>", "Ana Bay", "</a>",
    "<time datetime=2024-05-01>", "</time>", "<h1>",
    "4 May 2024, 10:20", "<p>",
    "A text that is long enough to be taken for one by its length alone.",
    "<span class=author>", "</span>", "<br>", "<table>", "<tr>", "<td>", "<dl><dt>", "<dd>",
    "<pre>", "<script type=application/ld+json>", '{"@type": "Comment", "text": 1, "author": []}',
    "</script>",
    '{"@type": "Article", "comment": [{"@type": ["Comment"], "comment": [[]]}]}', "<div class=sig>",
    "0\u0660:99", "<time datetime=9999-99-99>",
])  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_page_ends_in_an_exception(html):
    reading = read_page(html, "http://a.example/")
    reading.document.page_type = "forum"
    for post in [*find_posts(reading, html), *find_comments(reading, html)]:
        assert post.text
    for form in FORMATS:
        write_content(reading, form, Extras(comments=True))


@pytest.mark.parametrize("piece", [
    "<div class='comment author' id=comment-1>Ana", "<b class=author><a href=/user/1>x",
    "<li class=comment><span class=signature>2024-05-01 ",
    "<ul class=comments><li><time datetime=1>a",
])  # fmt: skip
def test_deep_nesting_ends(piece):
    html = piece * 5000
    reading = read_page(html)
    assert isinstance(find_posts(reading, html), list)
    assert isinstance(find_comments(reading, html), list)


@pytest.mark.parametrize("name", NESTED)
def test_nested_pages_have_no_comments(name):
    reading = read_page(NESTED[name])
    assert find_comments(reading, NESTED[name]) == []
