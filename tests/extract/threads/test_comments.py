import json

import pytest

import telusur
from telusur.extract.threads.comments import find_comments
from telusur.extract.writing.formats import Extras, extract_content, read_content, write_content

SENTENCE = "The tide comes in twice a day and turns the wheel of the mill behind the harbour. "
COMMENT = (
    "<li class='comment depth-1' id=comment-{n}><div><a class=url href='http://b{n}.example/'>"
    "{name}</a> says:</div><div>May {n}, 2024 at 9:0{n} am</div><p>{text}</p>"
    "<a class=reply href=#r>Reply</a>{inside}</li>"
)


def comment(n: int, text: str, inside: str = "") -> str:
    return COMMENT.format(n=n, name=f"Reader {n}", text=text, inside=inside)


def page(comments: str) -> str:
    return (
        "<html lang=en><title>The tide mill</title><main><article><h1>The tide mill</h1>"
        f"<p>{SENTENCE * 4}</p><p>{SENTENCE * 4}</p><p>{SENTENCE * 4}</p></article></main>"
        f"{comments}"
    )


ANSWER = comment(2, "An answer that is long enough to be seen as one by anybody who reads it.")
LIST = "".join([
    comment(1, "What a mill! I saw it in spring, when the wheel had just been repaired.",
            f"<ul class=children>{ANSWER}</ul>"),
    comment(3, "My grandfather worked there until the storm broke the old wheel in two."),
])  # fmt: skip
PAGE = page(f"<div id=comments><h3>3 comments</h3><ol class=commentlist>{LIST}</ol></div>")


def test_comments_have_text_author_and_date_and_answers_are_comments_of_their_own():
    found = telusur.extract(PAGE, "https://a.example/mill").comments
    assert [post.author for post in found] == ["Reader 1", "Reader 2", "Reader 3"]
    assert [post.date for post in found] == [f"2024-05-0{n}T09:0{n}" for n in (1, 2, 3)]
    assert found[1].text.startswith("An answer")
    assert found[1].author_url == "http://b2.example/"


def test_a_single_comment_is_found():
    html = page(
        f"<section class=comments><ol>{comment(4, 'Lovely place, we will come back.')}</ol>"
    )
    [found] = telusur.extract(html).comments
    assert (found.text, found.author) == ("Lovely place, we will come back.", "Reader 4")


@pytest.mark.parametrize("after", ["", "<div id=comments><form>Leave a comment</form></div>"])
def test_a_page_without_comments_has_none(after):
    assert list(telusur.extract(page(after)).comments) == []


def test_comments_that_only_the_data_have_are_found():
    stated = {"@type": "NewsArticle", "comment": [{"@type": "Comment", "text": "Well said."}]}
    data = f"<script type='application/ld+json'>{json.dumps(stated)}</script>"
    assert find_comments(read_content(page("")), page("") + data)[0].text == "Well said."


def test_an_empty_page_has_no_comments():
    assert find_comments(read_content(""), "") == []


DATES = {
    "text": "Reader 3, 2024-05-03 09:03", "markdown": ", 2024-05-03 09:03",
    "html": ", 2024-05-03 09:03", "xml": 'date="2024-05-03T09:03"', "json": "2024-05-03T09:03",
}  # fmt: skip


@pytest.mark.parametrize("form", DATES)
def test_every_format_has_the_comments_only_on_request(form):
    with_comments = extract_content(PAGE, format=form, with_comments=True)
    assert "My grandfather" in with_comments
    assert DATES[form] in with_comments
    assert DATES[form] not in write_content(read_content(PAGE), form, Extras())
