import pytest

from telusur.extract.facts.metadata import read_metadata
from telusur.extract.page.dom import TagIndex, parse_html

ARTICLE = '<meta property="og:type" content="article"><title>Fog signals</title>'
PERSON = '<script type="application/ld+json">{"@type":"Article","author":%s}</script>'


def author(html: str, url: str = "http://coast.example/news/fog", **options: bool) -> str | None:
    tree = parse_html(html)
    return read_metadata(tree, TagIndex(tree), url, url, **options).author


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ada Lindqvist</p>",
        "<p>By <a href=/ada>Ada Lindqvist</a></p>",
        "<div><span>Written by</span><span>Ada Lindqvist</span><span>Editor</span></div>",
        "<p>Author: <b>Ada Lindqvist</b> · 3 May 2024</p>",
        "<div class=post-author>Ada Lindqvist</div>",
        "<a href=/authors/ada>Ada Lindqvist</a>",
        "<span>Penulis:</span> <span>Ada Lindqvist</span>",
        "<p>Words by Ada Lindqvist</p><p>Photo by <b>Bo Ek</b></p>",
        "<p>Photo by Bo Ek</p><p>Text: Ada Lindqvist</p>",
        "<p>Photos and story by Ada Lindqvist</p>",
        "<p>Erstellt von <a>Ada Lindqvist</a></p>",
        "<p>Verfasst von</p><p>Ada Lindqvist</p>",
        "<p>Rédigé par Ada Lindqvist et publié depuis Overblog</p>",
        "<p>作者：Ada Lindqvist</p>",
        "<p class=date-author>Ada Lindqvist, 01.12.2021</p>",
        "<div class=autor>Ada Lindqvist | Publicado</div>",
        "<p>By Ada Lindqvist/AFP</p>",
        "<p>This post was written by Ada Lindqvist, Head of Signals and Lights</p>",
        "<p>Text von Ada Lindqvist Illustration von Bo Ek</p>",
        "<p>Ein Artikel von Ada Lindq&shy;vist</p>",
        "<p>By</p><p>Fact Checked</p><p>By Ada Lindqvist</p>",
        "<span>Ada Lindqvist</span><span>·</span><span>17 May 2024</span>",
        "<span>17 May 2024</span><span>Ada Lindqvist</span>",
    ],
)
def test_who_is_named_beside_the_headline(byline):
    assert author(f"{ARTICLE}<h1>Fog signals</h1>{byline}<p>It was night.</p>") == "Ada Lindqvist"


def test_several_authors():
    html = "<p>By <a>Ada Lindqvist</a>, <a>Bo Ek</a> and <a>Siti Rahma</a></p><p>At sea"
    expected = "Ada Lindqvist, Bo Ek, Siti Rahma"
    assert author(f"{ARTICLE}<h1>Fog signals</h1>{html}") == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"Ada Lindqvist"', "Ada Lindqvist"),
        ('{"@type":"Person","name":"Ada Lindqvist"}', "Ada Lindqvist"),
        ('[{"name":"Ada Lindqvist"},{"name":"Bo Ek"}]', "Ada Lindqvist, Bo Ek"),
        ('{"@type":"Organization","name":"Coast Herald"}', None),
        ('[[[{"name":"Ada Lindqvist"}]]]', None),
        ('{"name":{"@value":"x"}}', None),
        ("null", None),
    ],
)
def test_authors_in_json_ld(value, expected):
    assert author(PERSON % value + "<h1>Fog signals</h1>") == expected


def test_a_reference_in_json_ld():
    data = (
        '{"@graph":[{"@type":"Article","author":{"@id":"#1"}},'
        '{"@type":"Person","@id":"#1","name":"Ada Lindqvist"}]}'
    )
    html = f'<script type="application/ld+json">{data}</script>'
    assert author(html) == "Ada Lindqvist"
    assert author(html, with_markup=False) == "Ada Lindqvist"


def test_a_byline_counts_more_than_the_name_of_an_account():
    html = PERSON % '"herald_admin7"' + "<h1>Fog signals</h1><p>By Ada Lindqvist</p>"
    assert author(html) == "Ada Lindqvist"
    assert author(html, with_markup=False) == "herald_admin7"


def test_a_sentence_is_no_byline():
    html = f"{ARTICLE}<h1>Fog signals</h1><p>The horn that still sounds at night was built "
    assert author(f"{html}<i>long ago</i> by Hooded Horse</p>") is None
    assert author(f"{ARTICLE}<h1>Fog signals</h1><p>By creating maps, we learn.</p>") is None


def test_wares_lists_and_front_pages_have_no_author():
    review = '<div itemprop="author">Bo Ek</div>'
    product = '<script type="application/ld+json">{"@type":"Product","name":"Horn"}</script>'
    assert author(f"{product}<h1>Horn</h1>{review}") is None
    html = f"{ARTICLE}<h1>Fog signals</h1><p>By Ada Lindqvist</p>"
    assert author(html, "http://coast.example/") is None


def test_the_first_poster_of_a_thread():
    html = (
        "<title>Fog</title><h1>Fog</h1><article data-author='foghorn_42'>a</article>"
        "<article data-author='bell7'>b</article>"
    )
    assert author(html, "http://coast.example/threads/fog.1/") == "foghorn_42"


def test_marks_far_from_the_headline():
    comment = "<div class='comment-author'>Bo Ek</div>"
    box = "<div class='author-box'><img><strong>Ada Lindqvist</strong> likes fog.</div>"
    filler = "<p>" + "It was night and the horn sounded. " * 10 + "</p>"
    html = f"{ARTICLE}<h1>Fog signals</h1>{comment}{filler * 5}{box}"
    assert author(html) == "Ada Lindqvist"
    assert author(html, with_markup=False) is None


def test_a_person_counts_more_than_the_name_of_the_site():
    site = PERSON % '{"@type":"Person","name":"Coast Herald"}'
    site = site.replace("}<", ',"publisher":{"name":"Coast Herald"}}<')
    byline = "<div class=autor>Ada Lindqvist</div>"
    assert author(f"{site}<h1>Fog signals</h1>{byline}") == "Ada Lindqvist"
    assert author(f"{site}<h1>Fog signals</h1>") == "Coast Herald"
    host = PERSON % '"The Coast"'
    assert author(f"{host}<h1>Fog signals</h1>{byline}") == "Ada Lindqvist"
    other = PERSON % '"Siti Rahma"'
    assert author(f"{other}<h1>Fog signals</h1>{byline}") == "Siti Rahma"


def test_accounts_elsewhere_and_registration_name_nobody():
    for link in ("https://www.youtube.com/user/coast", "/user/register"):
        assert author(f"{ARTICLE}<h1>Fog signals</h1><a href={link}>Recipe Videos</a>") is None


def test_what_cards_announce():
    html = "<meta name=twitter:label1 content='Verfasst von'><meta name=twitter:data1 content='{}'>"
    assert author(ARTICLE + html.format("Ada Lindqvist")) == "Ada Lindqvist"
    reading = html.replace("Verfasst von", "Est. reading time")
    assert author(ARTICLE + reading.format("Ada Lindqvist")) is None


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ada Lindqvist, Coast</p>",
        "<p>By Ada Lindqvist, Culture</p>",
        "<p>By Ada Lindqvist, Reuters</p>",
        "<p>By Ada Lindqvist, Associated Press</p>",
        "<p>Von Ada Lindqvist und Agentur Meer</p>",
        "<div class=author>Ada Lindqvist</div><div class=author>Former Bell Consultant</div>",
        "<div class=author>Coast Herald</div><div class=author>Ada Lindqvist</div>",
        "<div class=author>Interview: Ada Lindqvist</div>",
        "<span class=author>By —</span><span>Ada Lindqvist</span>",
        "<span class=author-label>投稿者</span><a rel=author>Ada Lindqvist</a>",
        "<a class=author href=/tag/fog>Fog Bells</a><a rel=author>Ada Lindqvist</a>",
    ],
)
def test_people_without_papers_sections_agencies_and_labels(byline):
    page = f"<meta property=og:site_name content='Coast Herald'>{ARTICLE}<h1>Fog signals</h1>"
    assert author(f"{page}{byline}<p>It was night.</p>") == "Ada Lindqvist"


def test_an_agency_alone_is_the_author():
    assert author(f"{ARTICLE}<h1>Fog signals</h1><p>By Reuters</p>") == "Reuters"
    agency = PERSON % '{"@type":"Organization","name":"Antara"}'
    tree = parse_html(f"{agency}<h1>Fog signals</h1>")
    found = read_metadata(tree, TagIndex(tree), "http://coast.example/news/fog", "")
    assert (found.author, found.author_group) == (None, "Antara")
    own = read_metadata(tree, TagIndex(tree), "http://www.antara.example/news/fog", "")
    assert own.author_group == ""


def test_menus_announce_nobody():
    stated = PERSON % '{"@type":"Person","name":"Marzia"}'
    for menu in ("<span>By</span><a>Occasion</a>", "<span>By</span><a>Winter</a>"):
        assert author(f"{stated}<h1>Fog signals</h1>{menu}") == "Marzia"
    assert author(f"{ARTICLE}<h1>Fog signals</h1><span>By</span><a>Category</a>") is None


def test_a_person_stated_of_another_thing_on_the_page_counts_more_than_the_site():
    article = '{"@type":"Article","author":{"@type":"Person","name":"Coast Herald"}}'
    recipe = '{"@type":"Recipe","author":{"@type":"Person","name":"Ada Lindqvist"}}'
    data = f'<script type="application/ld+json">[{article},{recipe}]</script>'
    site = "<meta property=og:site_name content='Coast Herald'>"
    assert author(f"{site}{data}<h1>Fog soup</h1>") == "Ada Lindqvist"
    assert author(f"{site}{data}<h1>Fog soup</h1><p>By Coast Herald</p>") == "Ada Lindqvist"


def test_a_publisher_may_be_a_person():
    data = (
        '{"@type":"Article","author":{"@type":"Person","name":"Lynn Ek"},'
        '"publisher":{"@type":["Person","Organization"],"name":"Lynn Ek"}}'
    )
    html = f'<script type="application/ld+json">{data}</script><h1>Fog</h1>'
    assert author(f"{html}<a rel=author>Ada Lindqvist</a>") == "Lynn Ek"


def test_authors_of_cited_texts_and_comments_are_others():
    other = "<li itemprop={}><meta itemprop=author content='Bo Ek'></li>"
    for kind in ("citation", "comment"):
        assert author(f"{ARTICLE}<h1>Fog signals</h1>{other.format(kind)}") is None
    assert author(f"{ARTICLE}<h1>Fog</h1><meta itemprop=author content='Bo Ek'>") == "Bo Ek"


def test_several_people_in_microdata():
    one = "<p class=by><span itemprop=author><b>{}</b></span></p>"
    box = one.format("Ada Lindqvist") + one.format("Bo Ek") + one.format("Ada Lindqvist")
    filler = "<p>" + "It was night and the horn sounded. " * 10 + "</p>"
    assert author(f"{ARTICLE}<h1>Fog signals</h1>{filler * 5}{box}") == "Ada Lindqvist, Bo Ek"


def test_a_person_marked_beside_the_headline_of_any_page():
    page = "<meta property=og:type content=website><title>Fog</title><h1>Fog</h1>"
    assert author(f"{page}<a href=/authors/ada>Ada Lindqvist</a>") == "Ada Lindqvist"
    assert author(f"{page}<a href=/authors/ada>ada_5</a>") is None


def test_the_section_beside_a_day_is_no_author():
    byline = "<a href=/category/coast>North Coast</a><span>17 May 2024</span><p>It was night.</p>"
    assert author(f"{ARTICLE}<h1>Fog signals</h1>{byline}") is None
    byline = "<b>North Coast</b><span>17 May 2024</span><p>It was night.</p>"
    assert author(f"{ARTICLE}<h1>Fog</h1>{byline}", "http://a.example/north-coast/fog") is None


def test_names_in_data_may_be_escaped_twice():
    meta = '<meta name=author content="Ada &amp;amp; Bo">'
    assert author(f"{ARTICLE}{meta}<h1>Fog signals</h1>") == "Ada, Bo"


def test_a_person_beside_the_headline_counts_more_than_the_paper():
    data = '{"name":"Coast Daily"},"publisher":{"name":"Coast Daily Herald"}'
    html = PERSON % data + "<h1>Fog signals</h1>"
    assert author(f"{html}<a href=/staff/1/ada>Ada Lindqvist</a>") == "Ada Lindqvist"
    assert author(html) == "Coast Daily"


def test_a_marked_person_counts_more_than_a_later_announcement():
    html = "<h1>Fog signals</h1><a href=/author/ada>Ada Lindqvist</a><p>By Bo Ek</p>"
    assert author(ARTICLE + html) == "Ada Lindqvist"
    html = "<h1>Fog</h1><p class=license-author>Siti Rahma</p><p>By Bo Ek</p>"
    assert author(ARTICLE + html) == "Bo Ek"


def test_the_house_is_the_author_of_what_it_signs():
    declared = '<script type="application/ld+json">{"@type":"%s","author":%s}</script>'
    house = '{"@type":"Organization","name":"Coast"}'
    for kind, expected in (("Recipe", "Coast"), ("NewsArticle", "Coast"), ("Article", "")):
        tree = parse_html(declared % (kind, house) + "<h1>Fog signals</h1>")
        found = read_metadata(tree, TagIndex(tree), "http://coast.example/fog", "")
        assert found.author_group == expected


@pytest.mark.parametrize(
    "html",
    [
        "<b>ggery</b><p><a href=/members/keeper.7>keeper7</a></p><p>Discussion starter</p>",
        "<span class=PostUser-name>keeper7</span><p>It was night.</p>",
        "<a href=/u/keeper7>keeper7</a><p>It was night.</p>",
    ],
)
def test_who_began_a_thread(html):
    url = "http://coast.example/threads/fog.7"
    assert author(f"<title>Fog signals</title><h1>Fog signals</h1>{html}", url) == "keeper7"
