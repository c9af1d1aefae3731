import numpy as np
import pytest

from telusur.extract.content.teasers import drop_teasers
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout

STORY = (
    "<p>{} keeper climbed the stairs of the tower every evening to light the lamp of the bay</p>"
)
ITEM = "<div class=item><h3><a href=/{0}>Ferry {0} is late</a></h3><p>Fog {0} kept it.</p></div>"


def page(story=4, items=4, item=ITEM):
    parts = [STORY.format(n) for n in range(story)], [item.format(n) for n in range(items)]
    return read_layout(
        parse_html(f"<main>{''.join(parts[0])}</main><aside>{''.join(parts[1])}</aside>")
    )


def kept(layout, likely_items=0.6):
    """The lines that are kept if everything was chosen, by their first words."""
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    is_story = np.array(["keeper" in text for text in layout.texts])
    likely = np.where(is_story, 0.9, likely_items).astype(np.float32)
    lines = drop_teasers(np.arange(len(words)), likely, words, layout)
    return sorted(
        {layout.texts[line].split()[0] for line in lines.tolist()} & {"Ferry", "Fog", "0"}
    )


def test_teasers_beside_an_article_are_dropped_with_their_texts():
    assert kept(page()) == ["0"]


def test_the_texts_of_teasers_are_dropped_if_their_headlines_were_not_chosen():
    layout = page()
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    is_story = np.array(["keeper" in text for text in layout.texts])
    likely = np.where(is_story, 0.9, 0.6).astype(np.float32)
    chosen = np.array([n for n, text in enumerate(layout.texts) if "late" not in text])
    assert drop_teasers(chosen, likely, words, layout).tolist() == is_story.nonzero()[0].tolist()


def test_a_teaser_may_be_a_link_as_a_whole():
    fog = " ".join(["fog"] * 50)
    assert kept(
        page(items=5, item=f"<div class=item><p><a href=/{{0}}>Fog {fog}</a></p></div>")
    ) == ["0"]


def test_three_may_be_part_of_it():
    assert kept(page(items=3)) == ["0", "Ferry", "Fog"]


def test_a_list_that_is_nearly_everything_is_the_text():
    assert kept(page(story=2)) == ["0", "Ferry", "Fog"]


def test_a_list_as_certain_as_the_rest_is_part_of_it():
    assert kept(page(), likely_items=0.88) == ["0", "Ferry", "Fog"]


@pytest.mark.parametrize(
    "item",
    [
        "<div class=item><h3>Ferry number {0} is late again</h3><p>Fog {0} kept it.</p></div>",
        "<div class=i{0}><h3><a href=/{0}>Ferry {0} is late</a></h3><p>Fog {0}.</p></div>",
        "<div class=item><h3><a href=/>Ferry</a></h3><p>Fog {0} kept it.</p></div>",
    ],
    ids=["no links", "each of another kind", "no headline"],
)
def test_other_things_are_no_teasers(item):
    assert "Fog" in kept(page(item=item))
