import numpy as np
import pytest

from telusur.extract.content.teasers import drop_pointers, drop_teasers
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


STORIES = "".join(STORY.format(n) for n in range(4))


def pointers_kept(body, likely=0.6):
    layout = read_layout(parse_html(body))
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    scores = np.where(layout.linked > 0, likely, 0.9).astype(np.float32)
    lines = drop_pointers(np.arange(len(words)), scores, words, layout)
    return [layout.texts[line] for line in lines.tolist() if layout.linked[line]]


def test_a_doubtful_line_that_is_a_link_points_to_another_story():
    assert pointers_kept(f"{STORIES}<p><a href=/a>The ferry is late again</a></p>") == []


@pytest.mark.parametrize(
    ("link", "likely"),
    [
        ("<p><a href=/a>The ferry is late again</a></p>", 0.85),
        ("<p>The keeper saw that <a href=/a>the ferry is late</a> again</p>", 0.6),
        ("<p><a href=/a>Ferry late</a></p>", 0.6),
    ],
    ids=["certain", "a link in a sentence", "two words"],
)
def test_other_lines_with_links_stay(link, likely):
    assert len(pointers_kept(f"{STORIES}{link}", likely)) == 1


def test_a_list_of_links_stays():
    links = "".join(f"<li><a href=/{n}>The ferry number {n} is late</a></li>" for n in range(9))
    assert len(pointers_kept(f"{STORIES}<ul>{links}</ul>")) == 9
