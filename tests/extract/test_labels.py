from telusur.extract.blocks import make_blocks
from telusur.extract.dom import parse_html, walk
from telusur.extract.labels import label_blocks
from telusur.extract.metadata import Metadata

PROSE = "The keeper climbs the two hundred stairs every evening and lights the lamp, as keepers do."


def labels_of(html: str) -> dict[str, str]:
    placed = make_blocks(walk(parse_html(html)))
    label_blocks(placed, Metadata(title="The keeper", author="Ada", date="2024-05-17"))
    return {item.block.text: item.block.label for item in placed}


def test_running_text_is_content_and_what_surrounds_it_is_not():
    labels = labels_of(
        f"<div class=menu><p>{PROSE} menu</p></div><div id=x><h1>The keeper</h1><p>by Ada</p>"
        f"<p>17 May 2024</p><p>{PROSE}</p><h2>Stairs</h2><p>{PROSE} Again.</p><p>Share</p>"
        "<ul><li><a href=/>One</a></li><li><a href=/>Two</a></li></ul><h2>Comments</h2></div>"
    )
    assert labels == {
        f"{PROSE} menu": "other",
        "The keeper": "title",
        "by Ada": "author",
        "17 May 2024": "date",
        PROSE: "content",
        "Stairs": "content",
        f"{PROSE} Again.": "content",
        "Share": "other",
        "One": "other",
        "Two": "other",
        "Comments": "other",
    }


def test_a_name_cannot_outweigh_the_text():
    assert labels_of(f"<div class=sidebar><p>{PROSE}</p></div>")[PROSE] == "content"


def test_a_consent_dialog_is_never_content():
    labels = labels_of(
        f"<div id=onetrust-consent><p>{PROSE * 9}</p></div><div><p>{PROSE}</p></div>"
    )
    assert labels == {PROSE * 9: "other", PROSE: "content"}


def test_posts_beside_each_other_are_all_content():
    posts = "".join(f"<article><p>{PROSE} {number}</p></article>" for number in range(5))
    assert set(labels_of(f"<div>{posts}</div>").values()) == {"content"}


def test_nothing_to_label():
    assert labels_of("") == {}
