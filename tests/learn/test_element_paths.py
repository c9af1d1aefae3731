from telusur.extract.document import extract_document
from telusur.learn.element_paths import add_selectors
from telusur.models import Block

HTML = (
    "<body class='home page'><div id=main><p class=lead style='color:red'>One <b>two</b></p>"
    "<script>no()</script><p hidden>Unseen</p><ul><li>Three</li></ul></div>"
)


def test_blocks_get_the_path_and_the_style_of_their_element():
    blocks = extract_document(HTML).blocks
    add_selectors(blocks, HTML)
    assert [(block.text, block.selectors, block.style) for block in blocks] == [
        ("One two", "html > body.home.page > div#main > p.lead", "color:red"),
        ("Three", "html > body.home.page > div#main > ul > li", ""),
    ]


def test_blocks_of_another_page_stay_as_they_are():
    blocks = [Block("Something else")]
    add_selectors(blocks, HTML)
    assert blocks == [Block("Something else")]
