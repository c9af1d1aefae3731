import pytest

from telusur.extract.compiled import native
from telusur.extract.facts.nearby import names_around, read_around, read_nearby, read_opening
from telusur.extract.page.dom import parse_html

PAGE = (
    "<nav>Menu</nav><p>News</p><h1>Fog <b>signals</b></h1><script>let by = 'By Ada'</script>"
    "<div class=Meta><p class='by line' itemprop=author>By <a rel=author href=/ada>Ada</a></p>"
    "<time datetime=2024-05-06>Monday</time></div><p>It was  night.</p>"
)


@pytest.fixture(params=["compiled", "python"], autouse=True)
def way(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr("telusur.extract.facts.nearby.native", None)
    elif native is None:
        pytest.skip("Telusur was installed without a compiler")


def nearby(html: str):
    tree = parse_html(html)
    return read_nearby(tree.html, tree.select("h1")[0], 0)


def test_texts_after_and_before_a_headline_nearest_first():
    found = nearby(PAGE)
    after = [(1, "By"), (2, "Ada"), (3, "Monday"), (4, "It was night.")]
    assert [(piece.distance, piece.text) for piece in found.after] == after
    assert [(piece.distance, piece.text) for piece in found.before] == [(-1, "News"), (-2, "Menu")]


def test_names_of_the_elements_around_a_text():
    by, ada, monday, _ = nearby(PAGE).after
    assert ada.names == "author by line author meta"
    assert names_around(parse_html(PAGE).select("a")[0]) == ada.names
    assert (by.classes, by.link, ada.classes, ada.link) == ("by line", "", "", "/ada")
    assert (monday.moment, ada.moment) == ("2024-05-06", "")


def test_which_headings_texts_stand_in():
    after = nearby("<h1>Fog</h1><h2>A<b>B</b></h2><p>Of 2024</p><h2>C</h2>").after
    assert [piece.heading for piece in after].count(-1) == 1
    assert len({piece.heading for piece in after}) == 3
    assert [piece.has_year for piece in after] == [False, False, True, False]


def test_only_the_start_of_an_article_is_read():
    long = "<p>" + "It was night and the horn sounded. " * 20 + "</p>"
    pieces = nearby(f"<h1>Fog</h1><p>By Ada</p>{long * 5}<p>By Bo</p>").after
    assert [piece.text[:6] for piece in pieces] == ["By Ada", "It was", "It was"]
    assert max(len(piece.text) for piece in pieces) <= 300
    assert [piece.is_short for piece in pieces] == [True, False, False]
    assert len(nearby("<h1>Fog</h1>" + "<p>x</p>" * 500).after) == 40


def test_an_article_without_headline():
    tree = parse_html("<p>Menu</p><article><p>By Ada</p>x</article><p>End")
    found = read_opening(tree.html, tree.select("article")[0])
    assert [piece.text for piece in found.after] == ["By Ada", "x"]
    assert found.before == []


def test_a_text_that_begins_with_much_white_space_breaks_nothing():
    assert nearby(f"<h1>Fog</h1><p>{' ' * 400}Ada").after[0].text == ""


def test_texts_side_by_side_count_as_one_node():
    tree = parse_html(
        "<p>far</p>" + "<p>near" + "<i></i>" * 50 + "</p>" + "x<s></s>y" * 30 + "<h1>Fog"
    )
    for between in tree.select("s"):
        between.decompose()
    found = read_nearby(tree.html, tree.select("h1")[0], 0)
    assert [piece.text for piece in found.before] == ["xy" * 30, "near", "far"]


def test_texts_around_a_text_that_is_no_heading():
    page = parse_html("<p>News</p><table><tr><td>Fog &amp; bells</td></tr></table><p>Ada</p>").html
    found = read_around(page, page.index("Fog"))
    assert [piece.text for piece in found.after] == ["Ada"]
    assert [piece.text for piece in found.before] == ["News"]
