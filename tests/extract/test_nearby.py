from telusur.extract.dom import parse_html
from telusur.extract.nearby import names_around, read_nearby, read_opening

PAGE = (
    "<nav>Menu</nav><p>News</p><h1>Fog <b>signals</b></h1><script>let by = 'By Ada'</script>"
    "<div class=Meta><p class='by line' itemprop=author>By <a rel=author>Ada</a></p></div>"
    "<p>It was  night.</p>"
)


def headline(html: str):
    return parse_html(html).select("h1")[0]


def test_texts_after_and_before_a_headline_nearest_first():
    pieces = read_nearby(headline(PAGE))
    found = [(piece.distance, piece.text) for piece in pieces]
    assert found == [(1, "By"), (2, "Ada"), (3, "It was night."), (-1, "News"), (-2, "Menu")]


def test_names_of_the_elements_around_a_text():
    pieces = read_nearby(headline(PAGE))
    assert pieces[1].names == "author by line author meta"
    assert names_around(pieces[2].element) == ""


def test_only_the_start_of_an_article_is_read():
    long = "<p>" + "It was night and the horn sounded. " * 20 + "</p>"
    pieces = read_nearby(headline(f"<h1>Fog</h1><p>By Ada</p>{long * 5}<p>By Bo</p>"))
    assert [piece.text[:6] for piece in pieces] == ["By Ada", "It was", "It was"]
    assert max(len(piece.text) for piece in pieces) <= 300
    assert len(read_nearby(headline("<h1>Fog</h1>" + "<p>x</p>" * 500))) == 40


def test_an_article_without_headline():
    article = parse_html("<p>Menu</p><article><p>By Ada</p>x</article><p>End").select("article")[0]
    assert [piece.text for piece in read_opening(article)] == ["By Ada", "x"]
