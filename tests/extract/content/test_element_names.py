import pytest

from telusur.extract.content.element_names import senses_of, words_of


def test_names_are_split_into_words():
    assert words_of("post-contentEntryBody__x2col") == ("post", "content", "entry", "body", "col")


@pytest.mark.parametrize("same", ["sidebar", "side-bar", "sideBar", "my side_bar"])
def test_ways_to_write_a_name_have_one_sense(same):
    assert senses_of(("div", same, "", "")) & senses_of(("p", "", "sidebar", ""))


def test_names_of_other_things_have_other_senses():
    assert not senses_of(("div", "related-posts", "", "")) & senses_of(
        ("div", "", "cookie-notice", "")
    )
    assert not senses_of(("div", "", "", ""))
    assert senses_of(("nav", "", "", ""))


def test_long_names_are_bounded():
    assert len(words_of("ab-" * 100_000)) == 1
