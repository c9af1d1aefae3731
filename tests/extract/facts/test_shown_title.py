import pytest

from telusur.extract.facts.shown_title import find_shown

TITLE = "Find jobs - Lighthouse keeper - Coast Herald"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<b>Lighthouse keeper</b>", "Lighthouse keeper"),
        ("<td> Lighthouse keeper </td>", "Lighthouse keeper"),
        ("<p>The Lighthouse keeper sleeps</p>", ""),
        ("<a href=/jobs>Lighthouse keeper</a>", ""),
        ("<option>Lighthouse keeper</option>", ""),
        ("<b>Coast Herald</b>", ""),
        # The longest part wins.
        ("<i>Find jobs</i><b>Lighthouse keeper</b>", "Lighthouse keeper"),
        ("<b>Find jobs - Lighthouse keeper</b>", "Find jobs - Lighthouse keeper"),
    ],
)
def test_the_part_that_the_page_shows(body, expected):
    page = f"<html><head><title>{TITLE}</title></head><body>{body}</body></html>"
    assert find_shown(page, TITLE, frozenset(["coastherald"])) == expected


def test_signs_are_written_as_in_the_page():
    assert find_shown("<b>Bells &amp; horns</b>", "Bells & horns - Sea", frozenset()) == (
        "Bells & horns"
    )


def test_hostile_titles():
    title = "a - " * 5000
    assert find_shown(title * 10, title, frozenset()) == ""
