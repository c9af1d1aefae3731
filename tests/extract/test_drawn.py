from telusur.extract.drawn import extract_drawn, label_drawn
from telusur.extract.rendered import Rendered
from telusur.models import Block, Bounds


def labels(drawn, read):
    return [block.label for block in label_drawn(drawn, read)]


def test_the_same_path_and_text_is_the_same_block():
    drawn = [Block("ebb", tag_path="a/p", bounds=Bounds(1, 2, 3, 4)), Block("ebb", tag_path="b/p")]
    read = [Block("ebb", "title", "b/p"), Block("ebb", "content", "a/p")]
    assert labels(drawn, read) == ["content", "title"]
    assert label_drawn(drawn, read)[0].bounds == Bounds(1, 2, 3, 4)
    assert drawn[0].label == "other", "what was given is not changed"


def test_equal_blocks_keep_their_order_and_hidden_ones_are_nobody():
    drawn = [Block("x", is_hidden=True), Block("x"), Block("y\n z"), Block("x")]
    read = [Block("x", "title"), Block("y z", "author"), Block("x", "content")]
    assert labels(drawn, read) == ["other", "title", "author", "content"]


def test_what_the_parser_reads_though_it_is_folded_away_has_its_label():
    drawn = [Block("x", is_hidden=True), Block("x")]
    assert labels(drawn, [Block("x", "title"), Block("x", "content")]) == ["title", "content"]


def test_another_path_or_a_part_of_the_text_will_do():
    drawn = [Block("ebb", tag_path="a/slot/p"), Block("seen and unseen"), Block("other")]
    read = [Block("ebb", "title", "a/p"), Block("unseen", "content")]
    assert labels(drawn, read) == ["title", "content", "other"]


def test_a_page_without_blocks_of_the_browser_has_those_of_the_parser():
    document = extract_drawn(Rendered("http://a.example/x", html="<title>T</title><p>ebb"))
    assert (document.url, [block.text for block in document.blocks]) == (
        "http://a.example/x", ["ebb"],
    )  # fmt: skip
    assert extract_drawn(Rendered("http://a.example/x", reason="gone")).text == ""
