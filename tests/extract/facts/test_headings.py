import telusur
from telusur.extract.facts.headings import MOST_HEADINGS, find_headings
from telusur.extract.page.dom import parse_html
from telusur.models import Heading


def test_headings_have_their_level():
    html = "<h1>Owls</h1><p>They hunt.</p><h2>How <b>they</b>\n hunt</h2><p>By ear.</p><h3> </h3>"
    assert telusur.extract(html).headings == [Heading(1, "Owls"), Heading(2, "How they hunt")]


def test_a_heading_that_is_not_in_the_text_is_left_out():
    tree = parse_html("<nav><h2>Menu</h2></nav><h1>Owls</h1><h2>Food</h2><p>Mice. Menu")
    assert find_headings(tree, "Food\nMice. Menu") == [Heading(1, "Owls"), Heading(2, "Food")]


def test_a_page_without_headings_and_a_page_of_nothing_else():
    assert telusur.extract("<p>Owls").headings == []
    many = "".join(f"<h1>Number {n}</h1>" for n in range(5_000))
    assert len(telusur.extract(many).headings) == MOST_HEADINGS
