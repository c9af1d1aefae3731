from telusur.extract.page.plain import as_page
from telusur.extract.writing.formats import extract_content


def test_plain_text_is_shown_as_it_stands():
    page = as_page("\n<b>no tag</b>\n  café & more".encode("latin-1"), "text/plain; charset=latin1")
    assert extract_content(page, format="text") == "<b>no tag</b>\n  café & more"


def test_html_is_left_alone():
    assert as_page(b"<b>x", "text/html") == b"<b>x"
    assert as_page(b"<b>x", "") == b"<b>x"
