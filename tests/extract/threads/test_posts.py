import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

import telusur
from telusur.extract.document import PageReading, read_page
from telusur.extract.threads.posts import find_posts, may_be_thread
from telusur.extract.writing.formats import write_content
from telusur.models import Post

BASE = "https://forum.example/t/7"
PEOPLE = ("Ana Bay", "miller_7", "Josef", "Ana Bay")
TEXTS = (
    "The wheel of the mill stands still since the storm. Does anybody know who repairs such?",
    "Ask the joiner in the harbour, he built the one at the pier and still has the drawings of it.",
    "Same here.\nOurs broke in the same night, and we wait for wood from the north until summer.",
    "Thank you both, the joiner comes on Monday and brings his son and the long ladder with him.",
)


def read(html: str) -> PageReading:
    """Read a page; a line of more than 60 characters is content, whatever the model says."""
    reading = read_page(html, BASE)
    reading.document.page_type = "forum"
    texts = reading.layout.texts
    reading.labels[:] = ["content" if len(text) > 60 else "other" for text in texts]
    reading.lines = [line for line, text in enumerate(texts) if len(text) > 60]
    reading.document.text = "\n".join(TEXTS)
    return reading


def page(post: str, around: str = "<div>{}</div>") -> str:
    posts = "".join(
        post.format(name=name, text=text.replace("\n", "<br>"), day=number + 3, n=number)
        for number, (name, text) in enumerate(zip(PEOPLE, TEXTS, strict=True))
    )
    menu = "<ul><li><a href=/>Home</a><li><a href=/members/>Members</a></ul>"
    return f"<html lang=en><title>The wheel</title>{menu}<h1>The wheel</h1>{around.format(posts)}"


SHAPES = {
    "classes": (
        "<div class='post p{n}' id=p{n}><div class=side>"
        "<a class=username href=/members/{n}/>{name}</a><p>Joined: 1{n} Mar 2009</p>"
        "</div><a href='#p{n}'>0{day} May 2024, 10:2{n}</a>"
        "<div class=body>{text}</div><div class=signature>A signature that is longer than many a "
        "post here, so that it looks like text.</div><a href=/r>Reply</a></div>"
    ),
    "microdata": (
        "<article itemscope itemtype='https://schema.org/Comment'>"
        "<span itemprop=author>{name}</span>"
        "<time itemprop=dateCreated datetime=2024-05-0{day}T10:2{n}:00Z>a week ago</time>"
        "<div itemprop=text>{text}</div></article>"
    ),
    "table rows in pairs": (
        "<tr><td class=head>by <a class=user href=/u/{n}>{name}</a>: 10:2{n}, 2024-05-0{day}"
        "</td></tr><tr><td><div class=narrow>{text}</div></td></tr>"
    ),
    "definitions": (
        "<dt><b>{name}</b> wrote on 2024-05-0{day} at 10:2{n}</dt><dd>{text}</dd>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_posts_have_text_author_and_date(shape):
    around = {"table rows in pairs": "<table>{}</table>", "definitions": "<dl>{}</dl>"}
    html = page(SHAPES[shape], around.get(shape, "<div>{}</div>"))
    posts = find_posts(read(html), html)
    assert [post.text for post in posts] == list(TEXTS)
    assert [post.author for post in posts] == list(PEOPLE)
    assert [post.date for post in posts] == [f"2024-05-0{n + 3}T10:2{n}" for n in range(4)]


def test_posts_have_their_own_address_and_that_of_their_author():
    html = page(SHAPES["classes"])
    posts = find_posts(read(html), html)
    assert posts[1].link == f"{BASE}#p1"
    assert posts[1].author_url == "https://forum.example/members/1/"


def test_posts_stated_in_data_are_used_when_the_page_shows_fewer():
    stated = {
        "@type": "DiscussionForumPosting", "articleBody": "First &amp; <b>bold</b>",
        "author": {"@type": "Person", "name": "Ana", "url": "/u/ana"}, "url": "/t/7",
        "datePublished": "2024-05-03T10:20:00+02:00",
        "comment": [
            {"@type": "Comment", "text": f"answer {n}", "author": {"name": f"n{n}"},
             "dateCreated": "2024-05-04"}
            for n in range(3)
        ],
    }  # fmt: skip
    html = f"<script type='application/ld+json'>{json.dumps(stated)}</script><p>A page of scripts."
    posts = find_posts(read(html), html)
    assert posts[0] == Post(
        "First & bold", "Ana", "2024-05-03T10:20", BASE, "https://forum.example/u/ana"
    )
    assert posts[3] == Post("answer 2", "n2", "2024-05-04")
    assert may_be_thread("", ["discussionforumposting"])
    assert not may_be_thread("article", ["newsarticle"], "https://a.example/mill")
    assert may_be_thread("article", [], "https://a.example/forum/t7")
    assert not may_be_thread("listing", [], "https://a.example/forum/")
    assert telusur.extract(html, BASE).posts == posts


def test_a_question_and_its_answers_are_posts():
    stated = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question", "name": "Who?", "text": "Who repairs wheels?",
            "acceptedAnswer": {"@type": "Answer", "text": "The joiner."},
            "suggestedAnswer": [{"@type": "Answer", "text": "The smith."}],
        },
    }  # fmt: skip
    html = f"<script type='application/ld+json'>{json.dumps(stated)}</script><p>A page of scripts."
    found = [post.text for post in telusur.extract(html, BASE).posts]
    assert found == ["Who repairs wheels?", "The joiner.", "The smith."]


def test_markdown_has_author_and_date_above_each_post():
    written = write_content(read(page(SHAPES["classes"])), "markdown")
    author = "[**miller\\_7**](https://forum.example/members/1/)"
    assert f"{author}, [2024-05-04 10:21]({BASE}#p1)\n\nAsk the joiner" in written
    assert written.count("\n---\n") == 3
    assert "Joined" not in written


def test_xml_has_a_post_element_for_each():
    root = ElementTree.fromstring(write_content(read(page(SHAPES["classes"])), "xml"))
    posts = root.findall("content/post")
    assert [post.get("author") for post in posts] == list(PEOPLE)
    assert posts[0].get("date") == "2024-05-03T10:20"
    assert "Reply" not in "".join(root.itertext())


def test_a_page_that_is_no_forum_is_written_as_it_is():
    reading = read(page(SHAPES["classes"]))
    reading.document = replace(reading.document, page_type="article")
    assert "<post" not in write_content(reading, "xml")


def test_posts_of_a_page_that_is_no_forum_need_authors_and_dates():
    for shape, count in (("classes", 4), ("bare", 0)):
        html = page(SHAPES.get(shape, "<div class=p><a href=/u/{n}>{name}</a><p>{text}</p></div>"))
        reading = read(html)
        reading.document.page_type = "article"
        assert len(find_posts(reading, html)) == count


def test_an_article_has_no_posts():
    assert list(telusur.extract("<h1>A mill</h1><p>It turns.</p>").posts) == []
