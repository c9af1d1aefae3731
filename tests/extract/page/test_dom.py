import pytest

from telusur.extract.document import extract_document
from telusur.extract.page.dom import MAX_TAGS, TagIndex, cut_page, parse_html


def test_elements_are_found_by_tag_in_document_order():
    tags = TagIndex(parse_html("<p id=1>a<div><p id=2>b</div>"))
    assert [element.attr("id") for element in tags["p"]] == ["1", "2"]
    assert tags["table"] == []


def test_of_a_page_with_too_many_tags_the_rest_is_not_read():
    text = "<b>" * (MAX_TAGS + 10)
    assert cut_page(text).count("<") == MAX_TAGS
    assert cut_page("<b>a") == "<b>a"


@pytest.mark.parametrize("tag", ["iframe", "textarea"])
def test_an_element_that_xml_leaves_empty_does_not_contain_the_rest_of_the_page(tag):
    words = "The tide turns the wheel of the mill. " * 100
    page = f"<p>a</p><{tag} src='x'/><p>b</p><{tag} /><p>{words}</p>"
    assert extract_document(page).text == f"a\nb\n{words.strip()}"
    assert extract_document(page.replace(" />", f"></{tag}>")).text != ""
    open_one = f"<p>a</p><{tag}/>{words}</{tag}><p>b</p>"
    assert extract_document(open_one).text == "a\nb"
