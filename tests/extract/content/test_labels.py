import pytest

from telusur.extract.content.blocks import Blocks
from telusur.extract.content.labels import MAX_LINES, label_lines
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout

PROSE = "The keeper climbs the two hundred stairs every evening and lights the lamp, as keepers do."
MORE = (
    "In winter, when the fog lies low over the bay, he stays up there until the morning ships have "
    "passed, and writes their names into a book that his grandfather began."
)
MENU = "".join(f"<li><a href=/{n}>{n}</a></li>" for n in ("Home", "News", "Sport", "Weather"))
RELATED = "".join(
    f"<li class=card><a href=/{n}>Another story about number {n}</a></li>" for n in range(6)
)


def labels_of(body: str) -> dict[str, str]:
    layout = read_layout(parse_html(body))
    metadata = Metadata(title="The keeper of the lamp", author="Ada Holm", date="2024-05-17")
    labels = label_lines(layout, metadata).labels
    return dict(zip(layout.texts, labels, strict=True))


@pytest.fixture(scope="module")
def article() -> dict[str, str]:
    return labels_of(
        f"<header><nav class=menu><ul>{MENU}</ul></nav></header><main><article class=post>"
        "<h1>The keeper of the lamp</h1>"
        "<div class=byline>By <a rel=author class=author>Ada Holm</a></div>"
        "<time class=date>17 May 2024</time>"
        f"<div class=entry-content><p>{PROSE}</p><p>{MORE}</p><h2>The stairs</h2>"
        f"<p>{PROSE} {MORE}</p>"
        f"</div></article></main><aside class=related><h3>Related</h3><ul>{RELATED}</ul></aside>"
        "<footer class=footer><p>© 2024 The Bay Post. All rights reserved.</p></footer>"
    )


def test_running_text_is_content(article):
    assert {article[PROSE], article[MORE], article[f"{PROSE} {MORE}"]} == {"content"}
    assert article["The stairs"] == "content"


def test_menus_related_stories_and_footers_are_not(article):
    others = ["Home", "Weather", "Another story about number 3", "Related"]
    others.append("© 2024 The Bay Post. All rights reserved.")
    assert {article[text] for text in others} == {"other"}


def test_title_author_and_date_have_labels_of_their_own(article):
    assert article["The keeper of the lamp"] == "title"
    assert article["By Ada Holm"] == "author"
    assert article["17 May 2024"] == "date"


def test_posts_beside_each_other_are_all_content():
    posts = "".join(
        f"<article class=post><div class=message><p>{MORE} {number}</p></div></article>"
        for number in range(5)
    )
    assert set(labels_of(f"<main class=thread>{posts}</main>").values()) == {"content"}


def test_a_heading_of_what_was_left_out_is_left_out_too():
    labels = labels_of(
        f"<main><article class=post><h1>The keeper of the lamp</h1><p>{PROSE}</p><p>{MORE}</p>"
        f"<p>{PROSE} {MORE}</p><h2>You may also like</h2></article></main>"
        f"<div class=related><ul>{RELATED}</ul></div>"
    )
    assert labels[MORE] == "content"
    assert labels["You may also like"] == "other"


def test_a_name_cannot_outweigh_the_text():
    assert labels_of(f"<div class=sidebar><p>{PROSE}</p></div>")[PROSE] == "content"


def test_a_consent_dialog_beside_an_article_is_not_content():
    story = "".join(f"<p>{PROSE} {MORE} {number}</p>" for number in range(4))
    asked = f"We use cookies to show you what you may like. {MORE}"
    labels = labels_of(
        f"<main><article><h1>The keeper of the lamp</h1>{story}</article></main>"
        "<div id=onetrust-consent class=cookie-banner role=dialog><h2>Your privacy</h2>"
        f"<p>{asked}</p><button>Accept all</button></div>"
    )
    assert labels[f"{PROSE} {MORE} 3"] == "content"
    assert {labels["Your privacy"], labels[asked], labels["Accept all"]} == {"other"}


def test_a_page_of_one_paragraph_is_its_content():
    assert labels_of(f"<p>{PROSE}")[PROSE] == "content"


def test_nothing_to_label():
    assert labels_of("") == {}


def test_a_page_without_end_goes_on_as_it_was():
    story = "".join(f"<p>{MORE} {number}</p>" for number in range(MAX_LINES + 50))
    html = f"<main>{story}<footer><b>The end</b></footer></main>"
    layout = read_layout(parse_html(html))
    labelled = label_lines(layout, Metadata())
    assert len(labelled.labels) == len(layout.texts) == MAX_LINES + 51
    assert set(labelled.labels[MAX_LINES:]) == {"content"}
    assert layout.texts[labelled.content[-1]] == "The end"
    assert Blocks(layout, labelled.labels)[-1].tag_path == "html/body/main/footer"


def test_comments_below_an_article_are_no_content():
    said = "What a tower, I would like to live in it and read all of these names, every single one."
    labels = labels_of(
        f"<h1>The keeper of the lamp</h1><div class=story><p>{PROSE}</p><p>{MORE}</p></div>"
        f"<div class=c1><div class=comment><p>{said}</p></div></div>"
    )
    assert (labels[said], labels[MORE]) == ("other", "content")


def test_a_standfirst_in_a_heading_is_content_even_if_a_picture_follows():
    standfirst = "For forty years one man has lit the lamp of the bay, and now a machine will."
    labels = labels_of(
        f"<article class=post><h1>The keeper of the lamp</h1><h2 class=standfirst>{standfirst}</h2>"
        f"<figure><img src=a.png><figcaption>Photo: Bay Post</figcaption></figure>"
        f"<div class=entry-content><p>{PROSE}</p><p>{MORE}</p></div></article>"
    )
    assert (labels[standfirst], labels["Photo: Bay Post"]) == ("content", "other")
