"""What a page tells about its site."""

import numpy as np

from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout
from telusur.extract.site.evidence import address_of, gather_evidence, log_odds


def evidence_of(html, likely=None):
    layout = read_layout(parse_html(html))
    count = len(layout.texts)
    likely = np.full(count, 0.5) if likely is None else np.array(likely)
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    return gather_evidence(layout, likely.astype(np.float32), words, "http://a/")


def keys_of(html):
    return set(evidence_of(html).texts.tolist())


def test_the_same_text_at_the_same_place_has_the_same_key_on_every_page():
    one = evidence_of("<div class=menu><p>Home</p></div><p>One</p>")
    two = evidence_of("<h1>Two</h1><div class=menu><p>Home</p></div>")
    assert one.texts[0] == two.texts[1]
    assert one.texts.dtype == np.uint64


def test_another_place_or_another_text_has_another_key():
    assert keys_of("<ul><li>Home</ul>").isdisjoint(keys_of("<ol><li>Home</ol>"))
    assert keys_of("<p class=a>Home").isdisjoint(keys_of("<p class=b>Home"))
    assert keys_of("<p>7.50").isdisjoint(keys_of("<p>8.50"))


def test_numbers_in_names_make_no_place():
    assert keys_of("<div id=post-17><p>Home") == keys_of("<div id=post-2041><p>Home")


def test_long_and_short_lines_are_at_different_places():
    cells = evidence_of(f"<table><tr><td>Menu<td>{'word ' * 30}<td>Links</table>")
    first, second, third = cells.place_of.tolist()
    assert first == third != second


def test_the_certainty_of_a_place_is_the_mean_of_its_lines_by_length():
    page = evidence_of("<p>one two three<p>one", likely=[0.9, 0.1])
    (certainty,) = page.certainties()
    expected = (3.5 * np.log(9) - 1.5 * np.log(9)) / 5
    assert abs(certainty - expected) < 1e-5


def test_log_odds_are_finite():
    assert np.isfinite(log_odds(np.array([0.0, 1.0], np.float32))).all()


def test_an_address_has_the_same_hash_in_every_process():
    assert address_of("http://a/ü") == 1423900545


def test_a_lone_surrogate_is_a_text_like_others():
    assert len(evidence_of("<p>\ud800 a<p>b").texts) == 2
