from telusur.extract.page.dom import MAX_TAGS, TagIndex, cut_page, parse_html


def test_elements_are_found_by_tag_in_document_order():
    tags = TagIndex(parse_html("<p id=1>a<div><p id=2>b</div>"))
    assert [element.attr("id") for element in tags["p"]] == ["1", "2"]
    assert tags["table"] == []


def test_of_a_page_with_too_many_tags_the_rest_is_not_read():
    text = "<b>" * (MAX_TAGS + 10)
    assert cut_page(text).count("<") == MAX_TAGS
    assert cut_page("<b>a") == "<b>a"
