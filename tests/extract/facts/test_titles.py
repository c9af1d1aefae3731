import pytest

from telusur.extract.facts.json_ld import read_json_ld
from telusur.extract.facts.statements import read_meta
from telusur.extract.facts.titles import Title, find_title, squeeze, strip_site_name
from telusur.extract.page.dom import TagIndex, parse_html


def find(html: str, url: str = "http://coastherald.example/news/fog") -> Title:
    tags = TagIndex(parse_html(html))
    return find_title(tags, read_meta(tags), read_json_ld(tags), url)


@pytest.mark.parametrize(
    ("title", "site", "expected"),
    [
        ("Fog signals | Coast Herald", "", "Fog signals | Coast Herald"),
        ("How fog signals work | Coast Herald", "", "How fog signals work"),
        ("How fog signals work | News | Coast Herald", "", "How fog signals work"),
        ("Fog and bells – and more - Coast Herald", "", "Fog and bells – and more"),
        ("Fog - Coast Herald", "Coast Herald", "Fog"),
        ("Fog - Coast-Herald", "Coast Herald", "Fog"),
        ("Coast Herald: Fog", "coast herald", "Fog"),
        ("Fog: a history of horns", "", "Fog: a history of horns"),
        ("Twenty-one lights", "", "Twenty-one lights"),
        ("", "", ""),
    ],
)
def test_site_names_are_cut_off(title, site, expected):
    assert strip_site_name(title, site) == expected


def test_the_name_of_the_host_is_a_name_of_the_site():
    assert find("<title>Fog - Coast Herald</title>").text == "Fog"
    assert find("<title>Fog - Coast Herald</title>", "http://other.example/a").text != "Fog"


def test_the_heading_that_the_head_confirms_is_the_title():
    assert find("<title>Bells: Coast</title><h1>Menu</h1><h1>Bells</h1>").text == "Bells"
    assert find("<title>Bells and horns</title><h1>Welcome</h1>").text == "Bells and horns"
    assert find("<title>Bells and horns</title><h1>Coast Herald</h1>").text == "Bells and horns"
    assert find("<h1>Only a heading</h1>").text == "Only a heading"


def test_a_heading_with_other_words_is_the_title_of_an_article_only():
    head = "<title>Seven horns that you must hear</title>"
    heading = "<h1>The seven loudest signals at sea</h1>"
    article = '<meta property="og:type" content="article">'
    ld = '<script type="application/ld+json">{"@type":"Article"}</script>'
    assert find(head + heading + article).text == "Seven horns that you must hear"
    assert find(head + heading + ld).text == "The seven loudest signals at sea"


def test_what_the_head_puts_behind_the_title_is_no_title():
    html = "<title>Plan of the book | Introduction to Fog</title><h1>Introduction to Fog</h1>"
    assert find(html + "<h2>Plan of the book</h2>").text == "Plan of the book"


def test_the_front_page_keeps_the_name_of_the_site():
    html = "<title>Coast Herald - All news of the coast</title><h1>Storm tonight</h1>"
    assert find(html, "http://coastherald.example/").text == "Coast Herald - All news of the coast"
    assert find(html, "http://coastherald.example/?from=mail").is_front_page


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("<h1>Fog signals<a href='#fog'>¶</a></h1>", "Fog signals"),
        ("<h1>Fog sig\xadnals</h1>", "Fog signals"),
        ("<h1>Fog<br>signals</h1>", "Fog signals"),
        ("<h1>Thread: Fog signals</h1>", "Fog signals"),
        ("<h1>Fog signals - Coast Herald</h1>", "Fog signals"),
        ("<h1><span>News</span> Fog signals</h1>", "Fog signals"),
        ("<h1>F<b>og</b> signals</h1>", "Fog signals"),
    ],
)
def test_what_themes_add_to_a_heading_is_taken_off(heading, expected):
    assert find(f"<title>Fog signals</title>{heading}").text == expected


def test_candidates_and_heading():
    found = find(
        '<title>Bells - Coast Herald</title><meta property="og:site_name" content="Coast Herald">'
        '<meta property="og:title" content="About bells"><h1>Bells</h1><h1>Archive</h1>'
    )
    assert found.candidates == ["Bells", "About bells", "Archive"]
    assert found.site_name == "Coast Herald"
    assert found.heading is not None
    assert found.heading.text == "Bells"


def test_nothing_to_read():
    assert find("") == Title()
    assert squeeze(" Coast-Herald_1! ") == "coastherald1"


SECTIONS = "<h1>1. Overview</h1><p>a</p><h1>2. ALTER TABLE RENAME</h1><p>b</p><h1>2.1 More</h1>"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (f"<title>ALTER TABLE</title>{SECTIONS}", "ALTER TABLE"),
        (f"<title>ALTER TABLE</title><h1>ALTER TABLE</h1>{SECTIONS}", "ALTER TABLE"),
        # A heading that the head repeats is the title, whatever it begins with.
        (f"<title>2. ALTER TABLE RENAME</title>{SECTIONS}", "2. ALTER TABLE RENAME"),
        # One number may be part of a title.
        ("<title>Lights of the bay</title><h1>7 lights of the bay</h1>", "7 lights of the bay"),
    ],
)
def test_the_heading_of_a_section_is_not_the_title(html, title):
    article = '<meta property="og:type" content="article">'
    assert find(article + html).text == title
