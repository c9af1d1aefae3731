import numpy as np
import pytest

from telusur.extract.content.set_apart import silence_parts
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout

STORY = "<p>The keeper climbed the stairs of the tower every evening to light the lamp.</p>"
SAID = "<p>I would like to live there</p>"


def silenced(body, title="The tower", likely=0.9):
    """The first words of the lines that are set apart."""
    layout = read_layout(parse_html(body))
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    scores = np.full(len(words), likely, np.float32)
    after = silence_parts(scores, words, layout, title)
    return [text.split()[0] for text, one in zip(layout.texts, after, strict=True) if not one]


@pytest.mark.parametrize(
    "names",
    ["class=comment", "id=comments", "class='user-comment-17'", "class=commentlist",
     "id=disqus_thread", "class=kommentare", "class=komentarze", "class=commentaires",
     "class=comentarios", "class=yorumlar", "class=reacties", "id=hozzaszolasok"],
)  # fmt: skip
def test_elements_named_for_comments_are_silent_with_all_that_is_in_them(names):
    assert silenced(f"{STORY}<div {names}><ul><li>{SAID}</ul></div>{STORY}") == ["I"]


@pytest.mark.parametrize(
    "names", ["class=commentary", "class=no-comments", "class=commentator", "class=kommentator",
              "class=story"],
)  # fmt: skip
def test_other_names_are_not(names):
    assert silenced(f"{STORY}<div {names}>{SAID}</div>") == []


@pytest.mark.parametrize("names", ["hidden", "box hidden", "is-hidden", "d-none", "hide appeal"])
def test_parts_that_are_hidden_by_their_class_are_silent(names):
    assert silenced(f"{STORY}<div class='{names}'>{SAID}</div>{STORY}") == ["I"]


@pytest.mark.parametrize(
    "names", ["hidden md:block", "d-none d-lg-block", "hidden-treasure", "overflow-hidden"]
)
def test_what_only_small_screens_hide_is_not(names):
    assert silenced(f"{STORY}<div class='{names}'>{SAID}</div>{STORY}") == []


@pytest.mark.parametrize("tag", ["body", "main", "article"])
def test_a_whole_page_may_say_that_it_can_be_commented(tag):
    assert silenced(f"<{tag} class='comments-open'>{STORY}{SAID}</{tag}>") == []


@pytest.mark.parametrize("headline", ["<h1>A tower</h1>", "<b>The Tower</b>"])
def test_what_holds_the_headline_is_not_the_comments(headline):
    body = f"{STORY}<div class=comments-page><div>{headline}</div>{STORY}"
    assert silenced(f"{body}<div class=comment>{SAID}</div></div>") == ["I"]


def test_comments_stay_where_nothing_else_is():
    assert silenced(f"<p>Tower</p><div class=comment>{SAID}</div>") == []
    assert silenced(f"{STORY}<div class=comment>{SAID}</div>", likely=0.4) == []
