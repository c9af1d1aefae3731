from itertools import islice

import pytest
from turbohtml import Text

from telusur.collection import open_collection
from telusur.extract.document import read_page
from telusur.extract.page.dom import MAX_NODES
from telusur.extract.writing.line_numbers import NO_LINE, number_lines


def texts_by_line(tree):
    numbers = number_lines(tree)
    found = {}
    for at, node in enumerate(islice(tree.descendants, MAX_NODES)):
        if isinstance(node, Text) and numbers.texts[at] != NO_LINE:
            found.setdefault(numbers.texts[at], []).append(node.data)
    assert list(found) == list(range(len(found)))
    return ["".join("".join(pieces).replace("\xad", "").split()) for pieces in found.values()]


def squeezed(blocks):
    return ["".join(block.text.split()) for block in blocks]


@pytest.mark.parametrize(
    "html",
    [
        "<p>one <b>two</b><p>three",
        "<div>a<p>b</p>c</div>",
        "<div>a<br>b<ul><li>c<li>d</ul>e</div>",
        "<table><tr><td>a<td>b<p>c</table>d",
        "<p>so\xadft<p>\xad<p>x",
        "<p hidden>no<p>yes<script>no</script>",
        "plain text",
    ],
)
def test_texts_belong_to_the_blocks_of_extraction(html):
    reading = read_page(html)
    assert texts_by_line(reading.tree) == squeezed(reading.document.blocks)


def test_they_do_on_every_page_of_the_demo(demo):
    checked = 0
    with open_collection(demo.directory) as collection:
        for record in islice(collection.pages(), 0, None, 7):
            stored = collection.html(record["url"])
            reading = read_page(stored[0], record["url"], content_type=stored[1])
            assert texts_by_line(reading.tree) == squeezed(reading.document.blocks), record["url"]
            checked += 1
    assert checked > 80


def test_an_element_is_a_line_when_it_holds_all_of_it_and_nothing_else():
    reading = read_page("<div>a<p>b <i>c</i></p>d</div><h1>e</h1>")
    numbers = number_lines(reading.tree)
    tags = [getattr(node, "tag", "") for node in reading.tree.descendants]
    lines = {tag: line for tag, line in zip(tags, numbers.elements, strict=True) if tag}
    assert lines["p"] == 1
    assert lines["h1"] == 3
    assert lines["div"] == lines["body"] == lines["i"] == NO_LINE
