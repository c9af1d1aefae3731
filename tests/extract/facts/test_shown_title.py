import pytest

from telusur.extract.facts.shown_title import find_shown, find_text

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
    found = find_shown(page, TITLE, frozenset(["coastherald"]))
    assert (found.text if found else "") == expected
    assert found is None or page[found.start :].startswith(expected)


def test_signs_are_written_as_in_the_page():
    found = find_shown("<b>Bells &amp; horns</b>", "Bells & horns - Sea", frozenset())
    assert found == ("Bells & horns", 3)


def test_a_link_is_a_menu_unless_asked_for():
    page = "<title>Bells</title><a href=/>Bells</a><p>Bells</p>"
    assert find_text(page, "Bells") == page.rindex("Bells")
    assert find_text(page, "Bells", with_links=True) == page.index("Bells</a>")
    assert find_text(page, "Horns") == -1


def test_hostile_titles():
    title = "a - " * 5000
    assert find_shown(title * 10, title, frozenset()) is None
