from telusur.extract.blocks import make_blocks
from telusur.extract.dom import parse_html, walk


def test_a_block_knows_its_place_and_its_links():
    placed = make_blocks(
        walk(parse_html("<div id=d class='x y'>half <a href=/>half</a></div><p>plain"))
    )
    first, second = (item.block for item in placed)
    assert (first.text, first.tag_path) == ("half half", "html/body/div")
    assert (first.element_id, first.classes) == ("d", "x y")
    assert first.link_density == 4 / 9
    assert (second.text, second.link_density) == ("plain", 0.0)


def test_deep_paths_are_bounded():
    (item,) = make_blocks(walk(parse_html("<div>" * 5000 + "deep")))
    assert len(item.block.tag_path) < 1500
