import pickle

from telusur.extract.content.blocks import Blocks
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout


def blocks_of(html):
    layout = read_layout(parse_html(html))
    return Blocks(layout, ["other"] * len(layout.texts))


def test_a_block_knows_its_place_and_its_links():
    first, second = blocks_of(
        "<div id=d class='x y' style='color:red'>half <a href=/>half</a></div><p>plain"
    )
    assert (first.text, first.tag_path) == ("half half", "html/body/div")
    assert (first.element_id, first.classes, first.style) == ("d", "x y", "color:red")
    assert first.selectors == "html > body > div#d.x.y"
    assert first.link_density == 4 / 9
    assert (second.text, second.link_density) == ("plain", 0.0)


def test_a_block_knows_the_heading_above_it():
    blocks = blocks_of("<p>a</p><h2>One</h2><p>b</p><p>c</p><h3>Two</h3><p>d")
    assert [block.heading for block in blocks] == ["", "", "One", "One", "One", "Two"]


def test_labels_go_to_their_blocks():
    layout = read_layout(parse_html("<h1>T</h1><p>a"))
    blocks = Blocks(layout, ["title", "content"])
    assert [block.label for block in blocks] == ["title", "content"]
    assert len(blocks) == 2
    assert pickle.loads(pickle.dumps(blocks)) == blocks == list(blocks)


def test_deep_paths_are_bounded():
    (block,) = blocks_of("<div>" * 5000 + "deep")
    assert len(block.tag_path) < 1500
    assert len(block.selectors) < 3000
