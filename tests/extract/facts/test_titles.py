import pytest

from telusur.extract.facts.json_ld import read_json_ld
from telusur.extract.facts.statements import read_meta
from telusur.extract.facts.titles import Title, find_title
from telusur.extract.page.dom import TagIndex, parse_html


def find(html: str, url: str = "http://coastherald.example/news/fog") -> Title:
    tags = TagIndex(parse_html(html))
    return find_title(tags, read_meta(tags), read_json_ld(tags), url)


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


@pytest.mark.parametrize(
    "heading",
    [
        "<h1><a href='/'>A life at sea</a></h1>",
        "<h1><a href='https://coast.example'>A life at sea</a></h1>",
        "<a href='/index.php'><h1>A life at sea</h1></a>",
        "<h1 class='site-title'>A life at sea</h1>",
        "<h1 id=logo>A life at sea</h1>",
    ],
)
def test_a_heading_that_leads_home_is_the_name_of_the_site(heading):
    head = "<title>A life at sea: Bells in fog</title>"
    assert find(f"{head}{heading}<h2>Bells in fog</h2>").text == "Bells in fog"
    assert find(f"{head}{heading}<h2>Bells In Fog</h2>").text == "Bells In Fog"
    assert find(f"{head}{heading}<td>Bells in fog</td>").text == "Bells in fog"


def test_a_heading_that_leads_to_its_own_page_is_the_title():
    heading = "<h1><a href='/news/fog'>Bells in fog</a></h1>"
    assert find(f"<title>Bells in fog - Sea</title>{heading}").text == "Bells in fog"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("<h1><span>At sea</span> <span>Bells – in fog</span></h1>", "Bells – in fog"),
        ("<h1>Bells - in fog <small>Or: why we hear them</small></h1>", "Bells - in fog"),
        ("<h1><span>Logo: Bells in fog - all</span></h1><h1>Bells in fog</h1>", "Bells in fog"),
    ],
)
def test_of_a_heading_what_the_head_repeats(heading, expected):
    article = '<meta property="og:type" content="article"><meta property="og:title" '
    assert find(f"{article}content='Bells - in fog'>{heading}").text == expected


def test_a_long_heading_with_the_words_of_the_head():
    head = "<title>Horn #7 - Sea-7 compact horn</title>"
    heading = "<h1>Sea-7 compact horn, black, with a bracket, a bell and two valves</h1>"
    assert find(head + heading).text.startswith("Sea-7 compact horn, black")


def test_marks_of_software_are_no_part_of_a_title():
    assert find("<title>Bells &amp;#038; horns in&shy;side</title>").text == "Bells & horns inside"
    assert find("<svg><title>LinkedIn</title></svg><h1>Bells</h1>").text == "Bells"
    assert find("<title>Bells</title><h1>{{ page.title }}</h1>").text == "Bells"


def test_names_that_other_pages_of_the_site_have():
    tags = TagIndex(parse_html("<title>Sea life: Fog</title>"))
    arguments = (tags, read_meta(tags), read_json_ld(tags), "http://a.example/fog")
    assert find_title(*arguments).text == "Sea life: Fog"
    assert find_title(*arguments, site_names=["Sea Life"]).text == "Fog"


def test_a_name_that_is_put_last_is_told_from_a_title_by_the_address():
    head = "<title>Recipes - Pasta with tomato and basil</title>"
    page = f"{head}<h1>Pasta with tomato and basil</h1>"
    assert find(page, "http://a.example/recipes/pasta-with-tomato-and-basil").text == (
        "Pasta with tomato and basil"
    )
    assert find(page, "http://a.example/r/12").text != "Pasta with tomato and basil"


def test_the_last_step_of_a_path_is_the_title():
    head = "<title>Sea talk » Blog Archive » Fog on the pier</title><h1>Sea talk</h1>"
    assert find(f"{head}<h2>Links</h2><h2>Fog on the pier</h2>").text == "Fog on the pier"
    assert find("<title>Fog » Coast Herald</title><h1>Fog</h1><h2>Coast Herald</h2>").text == "Fog"


def test_what_follows_a_shorter_title_of_the_head_is_the_name_of_the_site():
    data = '{"@type":"Article","headline":"Bells - a view"}'
    data = f'<script type="application/ld+json">{data}</script>'
    assert find(f"<title>Bells - a view - Sea</title>{data}").text == "Bells - a view"


def test_a_kicker_is_no_part_of_the_title():
    head = "<title>Bells of the North Sea - and of the Baltic</title>"
    heading = "<h1><span>Culture </span>Bells of the North Sea – and of the Baltic</h1>"
    assert find(head + heading).text == "Bells of the North Sea – and of the Baltic"


def test_lines_of_a_heading_are_kept_apart():
    head = "<title>On bells - What rings at sea</title>"
    assert find(f"{head}<h1><b>On bells</b><b>What rings at sea</b></h1>").text == (
        "On bells What rings at sea"
    )
    assert find("<title>iPad news</title><h1><b>i</b>Pad news</h1>").text == "iPad news"


def test_a_heading_marked_as_the_title_may_be_a_small_part_of_the_head():
    head = "<title>Fog : Sea talk | All about the sea, its bells, its horns and its pilots</title>"
    assert find(f"{head}<h1>Other</h1><h3 class=entry-title>Fog : Sea</h3>").text == "Fog : Sea"


def test_a_title_that_stands_on_any_page_leaves_it_to_the_heading():
    assert find("<title>Home</title><h1>Bells in fog</h1>").text == "Bells in fog"


def test_an_archived_page_has_the_names_of_its_own_host():
    url = "https://web.archive.org/web/2014/http://www.coastherald.example/fog"
    assert find("<title>Fog - Coast Herald</title>", url).text == "Fog"


def test_a_number_in_the_address_makes_it_no_front_page():
    page = "<title>Bells - Coast Herald</title><h1>Bells</h1>"
    assert not find(page, "http://coastherald.example/?p=17").is_front_page
    assert find(page, "http://coastherald.example/?p=17").text == "Bells"


def test_a_front_page_loses_its_own_name_behind_its_title():
    html = "<title>All news of the coast | Coast Herald</title>"
    assert find(html, "http://coastherald.example/").text == "All news of the coast"


def test_where_a_title_stands_that_is_no_heading():
    found = find("<title>Bells in fog - Sea</title><td>Bells in fog</td>")
    assert found.heading is None
    assert found.place > 0
    assert find("<title>Bells in fog - Sea</title><p>Bells in fog, again</p>").place == -1


def test_the_heading_that_the_address_names_counts_more_than_the_name_of_a_blog():
    page = "<title>Sea talk</title><h1>Sea talk</h1><h2>Links</h2><h2>And now a bell rings</h2>"
    blog = "http://seatalk.example/2012/08"
    assert find(page, f"{blog}/and-now-a-bell-rings/").text == "And now a bell rings"
    assert find(page, f"{blog}/17/").text == "Sea talk"
    assert find(page, "http://other.example/and-now-a-bell-rings/").text == "Sea talk"
