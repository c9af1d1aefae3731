from telusur.extract.rendered import RenderLimits, collecting_options, read_blocks
from telusur.models import Bounds

RECORD = {
    "text": "Ebb and flood", "path": "html/body/p", "selectors": "html > body > p.a", "id": "",
    "classes": "a", "style": "", "heading": "Tides", "html": "<p class=a>", "linked": 5,
    "bounds": [1, 2, 3.5, 4], "css": {"color": "red"}, "hidden": False,
}  # fmt: skip


def test_a_record_becomes_a_block():
    (block,) = read_blocks([RECORD])
    assert (block.text, block.tag_path, block.heading) == ("Ebb and flood", "html/body/p", "Tides")
    assert block.bounds == Bounds(1, 2, 3.5, 4)
    assert block.css == {"color": "red"}
    assert block.link_density == 5 / 13


def test_a_block_that_was_not_measured_has_no_look():
    (block,) = read_blocks([{**RECORD, "bounds": None, "css": None}])
    assert (block.bounds, block.css) == (None, None)


def test_what_cannot_be_stored_is_mended_and_what_is_no_block_left_out():
    broken = [{**RECORD, "text": "a\x00b\ud800"}, {}, None, 3, {**RECORD, "bounds": ["x"]}]
    assert [block.text for block in read_blocks(broken)] == ["ab?"]
    assert read_blocks(None) == read_blocks("no list") == []


def test_the_script_in_the_page_is_told_our_limits():
    options = collecting_options(RenderLimits(characters=7), blocks=True)
    assert (options["mostCharacters"], options["blocks"]) == (7, True)
    assert "p" in options["blockTags"]
    assert "span" not in options["blockTags"]
