"""The compiled part of extraction says what Python says, about any page."""

import json
import os
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telusur.demo.web import DemoWeb, localhost
from telusur.extract.compiled import native
from telusur.extract.content import characters, element_names, ranges, vocabulary
from telusur.extract.content import classifier as reading
from telusur.extract.content import head_overlap as facts
from telusur.extract.content.features import measure_page
from telusur.extract.content.model import PAGE_TYPES, Model, shipped_model
from telusur.extract.facts import authors, headings, nearby, publication_date
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.people import thread_starter
from telusur.extract.page import containers, layout, links
from telusur.extract.page.dom import TagIndex, parse_html
from telusur.learn.training import TrainingCourse, _first_weights

PIECES = """<p>|</p>|<div class=x>|<div class='a&amp;b "c' id=i>|</div>|<span class=m>|</span>|
    <b>|</b>|
    <a href=/ rel=author>|</a>|<br>|<pre>|</pre>|<xmp>|</xmp>|<plaintext>|<textarea>|<i<j>|<hr>|
    <time itemprop=d>|<table>|<tr>|<td>|</table>|<li style=color:red>|<!-- - -->|<?x>|<img class=q>|
    <![CDATA[x]]>|<math>|<mi>|</math>|<noscript>|<h1>|</h1>|<div =x a"b>|<ul role=list class=z>|
    &nbsp;|&shy;|&amp;|&lt;p&gt;|&#0;|word|words two|日本|\u0130x|𝒳|\u00ad|\u2028| |"""
PAGES = st.lists(
    st.one_of(st.sampled_from(re.split(r"\|\n?\s*", PIECES)), st.text(max_size=5)), max_size=60
).map("".join)


def test_it_was_built():
    assert native is not None, "no compiler? Telusur works without, but its tests want both ways"


@example("<math><xmp><xmp>")
@example("<xmp>&nbsp;")
@example("<math><mtext><xmp><b></xmp>c")
@example('<xmp></xmpd><a href="/x">y')
@example('<xmp></xmp/d><a href="/x">y')
@given(PAGES)
def test_layouts_are_the_same(page):
    tree = parse_html(page)
    one, other = layout.read_layout(tree), layout.walk(tree)
    for name in ("texts", "marks", "styles"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("containers", "linked", "verbatim", "parents", "starts"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    named, also = ([each.names[n] for n in each.names_of.tolist()] for each in (one, other))
    assert named == also


PARTS = """<h1>|</h1>|<h2>|</h2>|<article>|</article>|<main>|<template>|</template>|<svg>|</svg>|
    <title>|</title>|<time datetime=2024-05-06 title=b>|<abbr title="a&quot;b">|</time>|</a>|
    <a href='/by/A&amp;b'>|<script>|</script>|<option>|<button>|<textarea>|</textarea>|By |1/2/20|
    19|2024|20.3.19|٣.٣٣|<div CLASS="Ünder A" itemprop=x>|<noscript>|</noscript>|<p rel="a>b">"""


def _as_written(nearby):
    """Return pieces with the numbers of elements in the order in which they are met."""
    numbers = {-1: -1}
    return [
        piece._replace(
            element=numbers.setdefault(piece.element, len(numbers)),
            heading=numbers.setdefault(piece.heading, len(numbers)),
        )
        for piece in (*nearby.after, *nearby.before)
    ]


@example("<h1>A</h1>" + "<p>" + "long " * 60 + "<p>B" * 50)
@example("<p>C" * 70 + "<h1>A")
@example("<h1>A</h1><xmp>b</xmpd><p>c</xmp>d")
@given(st.lists(PAGES | st.sampled_from(re.split(r"\|\n?\s*", PARTS)), max_size=12).map("".join))
def test_pieces_near_headlines_are_the_same(page):
    tree = parse_html(page)
    for tag in ("h1", "h2"):
        for number, element in enumerate(tree.select(tag)):
            found = nearby.read_nearby(tree.html, element, number)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(nearby, "native", None)
                again = nearby.read_nearby(tree.html, element, number)
            assert _as_written(found) == _as_written(again)
    for element in tree.select("article")[:1]:
        found = nearby.read_opening(tree.html, element)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(nearby, "native", None)
            assert _as_written(found) == _as_written(nearby.read_opening(tree.html, element))


WORDS = """<a href=/a>|<a href='/b' rel=" x  nofollow">|<a>|</a>|<i>|</i>|<code>|<br>|<img alt=q>|
    <span>|</span>|<sup>|<p>|<td>|<table>|<pre>|</pre>|<!--c-->|one| two|three. |&nbsp;|&shy;|<q>|
    \u2028|日本|<svg>|<textarea>|<area href=/c>|aaaaaaaaaa bbbbbbbbbb | one two three four five"""
LINKED = st.lists(st.sampled_from(re.split(r"\|\n?\s*", WORDS)) | st.text(max_size=3), max_size=50)


@example("<a href=/a>" + "long " * 130 + "</a><a href=/b>" + "<i>long </i>" * 130)
@example('<xmp></xmpd><a href="/x">')
@example('<xmp></xmpd><a href="/x"></a></xmp><a href="/y">')
@given(LINKED.map("".join))
def test_links_are_the_same(page):
    tree = parse_html(page)
    anchors = layout.read_layout(tree).anchors
    text = "\n".join(layout.read_layout(tree).texts)
    base = "http://example.org/"
    found = links.find_links(TagIndex(tree), text, url=base, anchors=anchors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "native", None)
        assert links.find_links(TagIndex(tree), text, url=base) == found


@example("<h1>a<table><td><h2>b</h2>c<td>" * 12)
@given(
    st.lists(PAGES | st.sampled_from(["<h1>", "</h1>", "<h6 x>", "</h6>", " a\n", "<td>"])).map(
        "".join
    )
)
def test_headings_are_the_same(page):
    tree = parse_html(page)
    found = layout.read_layout(tree).headings
    assert found is None or found == list(headings._read_headings(tree))


@pytest.mark.parametrize("tag", layout._PLAIN_TAGS)
def test_plain_tags_add_nothing_to_the_words_of_a_link(tag):
    tree = parse_html(f"<a href=/a>x <{tag} title=t> y</{tag}>z<{tag}></{tag}></a>")
    assert layout.read_layout(tree).anchors == [("/a", "", "x yz")]
    assert " ".join(tree.select("a")[0].to_text().split()) == "x yz"


SIGNED = st.sampled_from(
    [
        *(
            "<p HIDDEN>",
            "<b style=x>",
            '<p class="x DateY">',
            "<time>",
            "<i itemprop=datePublished>",
        ),
        *("<b class=posted>", "<u class='a pUblished'>", "<p class=byLine>", "<a rel='x author'>"),
        *("<p class='a\"b author'>", "<b data-author=x>", "<q data-author-username>", "<svg>"),
        *("<script>a<b c='\"</script>", '<style>="</style>', "<math>", "<xmp>", "</svg>", "</p>"),
    ]
)
SELECTORS = (
    ("[hidden],[style]", "hidden", "style"), publication_date._MARKS, publication_date._NAMED,
    publication_date._TIME, publication_date._MICRODATA,
    (authors._MARKS, "author"), (thread_starter._POSTS, "data-author"),
)  # fmt: skip


@given(st.lists(PAGES | SIGNED, max_size=8).map("".join))
def test_what_has_no_sign_is_not_there(page):
    tree = parse_html(page)
    tags = TagIndex(tree)
    for selector, *signs in SELECTORS:
        assert tags.select(selector, *signs) == tree.select(selector)
    for tag in {element.tag for element in tree.select("*") if element.tag.isalnum()}:
        assert tags[tag] == tree.select(tag)


@pytest.mark.parametrize("filling", ["x", "é", "日", "𝒳"])
def test_signs_and_names_are_found_wherever_they_stand(filling):
    for length in range(70):
        page = f'{filling * length}<b class="date of" id="{filling}">{filling * (70 - length)}'
        assert native.signs(page) == {"<b", "date"}
        assert native.element_names(page) == {".date", ".of", f"#{filling}"}


@pytest.mark.parametrize("sign", ["A", "É", "日", "ß"])
def test_the_beginning_of_a_line_is_found_in_the_description(monkeypatch, sign):
    lines = [f"{sign}t the harbour, where the boats lie", f"N{sign} line that the head has not"]
    head = Metadata(description=f"All of it: {lines[0].upper()}.", stated_text="Nothing else.")
    digits = np.zeros(2, np.float32)
    compiled = facts.hold_against(lines, head, digits)
    monkeypatch.setattr(facts, "native", None)
    np.testing.assert_array_equal(compiled, facts.hold_against(lines, head, digits))
    assert compiled[:, 3].tolist() == [1, 0]


def test_a_page_with_too_many_tags_has_no_signs():
    many = "".join(f"<x{number}>" for number in range(500))
    assert native.signs(many) is None
    assert len(TagIndex(parse_html(many))["x7"]) == 1


@given(st.text("ab .\n…é", max_size=300), st.text("ab .\né", min_size=1, max_size=3), st.data())
def test_words_around_links_are_the_same(text, anchor, data):
    start = data.draw(st.integers(0, len(text)))
    one, other = links.Surroundings(text), links.Surroundings(text)
    one._position = other._position = start
    found = [one.around(anchor) for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "native", None)
        assert [other.around(anchor) for _ in range(3)] == found


@given(st.text())
def test_the_compiled_part_reads_any_text_and_nothing_beyond_it(text):
    found = native.scan(text, 1000)
    assert len(found[0]) == len(found[1])
    native.nearby(f"<h1>{text}</h1>{text}", "h1", 0, nearby.NearbyText, False)
    native.nearby(f"{text}<h1", "h1", 0, nearby.NearbyText, True)


@given(PAGES)
def test_containers_are_the_same(page):
    found = layout.read_layout(parse_html(page))
    if not found.texts:
        return
    arrays = (found.starts, found.parents, found.containers, found.names_of)
    compiled = [np.frombuffer(each, np.int32) for each in native.group(*arrays)]
    for one, other in zip(compiled, containers._group(*arrays), strict=True):
        assert one.tolist() == other.ravel().tolist()


@given(st.lists(st.text(max_size=90), min_size=1, max_size=5))
def test_characters_and_words_are_the_same(texts):
    counts, endings = characters.count_kinds(texts)
    np.testing.assert_array_equal(counts, characters._count(texts))
    np.testing.assert_array_equal(endings, characters._endings(texts))
    words = shipped_model().vocabulary
    marks = [text[:20] for text in texts]
    ids, at = words.of_lines(texts, marks)
    plain = vocabulary.Vocabulary(words.numbers)
    plain._lexicon = None  # in Python
    ids_in_python, at_in_python = plain.of_lines(texts, marks)
    assert (ids.tolist(), at.tolist()) == (ids_in_python.tolist(), at_in_python.tolist())


NAME = st.text("aAbBcC-_ 1é", max_size=70) | st.sampled_from(
    ["side-bar", "readMore", "breadcrumbs nav", "postContent entry-content", "HTMLMenu", "adsbox"]
)


@given(st.lists(st.tuples(st.sampled_from(["div", "nav", "p"]), NAME, NAME, NAME), min_size=1))
def test_names_mean_the_same(names):
    compiled = element_names.senses_of_all(names)
    assert compiled.tolist() == [element_names.senses_of(each) for each in names]
    words = shipped_model().vocabulary
    members = np.arange(len(names), dtype=np.int32)
    plain = vocabulary.Vocabulary(words.numbers)
    plain._lexicon = None
    one, other = (each.of_containers(names, members, members) for each in (words, plain))
    assert [each.tolist() for each in one] == [each.tolist() for each in other]


LINE = st.text("abAB ßİ\n19250:,yg", max_size=30) | st.sampled_from(
    (
        *("17 May 2024", "2 days ago", "3 hari yang lalu", "5 gün önce", "8:30", "18:05"),
        *("a b " * 50, "Holm, Ada", "By Ada Holm", "1:2", "año 1999", "once again 3", "x20240"),
    )
)


@given(st.lists(LINE, max_size=8), LINE, LINE, st.sampled_from([None, "Ada Holm, ab", "ß"]))
def test_lines_are_held_against_the_page_the_same(texts, title, description, author):
    metadata = Metadata(
        title=title,
        description=description,
        author=author,
        date="2024-05-17",
        stated_text="ab 19 " * 40,
    )
    digits = characters.count_kinds(texts)[0][:, characters.Kind.DIGIT]
    compiled = facts.hold_against(texts, metadata, digits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "native", None)
        plain = facts.hold_against(texts, metadata, digits)
    np.testing.assert_allclose(compiled, plain, rtol=1e-6)


def test_words_of_elements_are_the_same(monkeypatch):
    names = [("div", "post entry-content", "main", ""), ("p", "", "", ""), ("ul", "nav", "", "")]
    members, at = np.array([0, 1, 0, 2, 1], np.int32), np.array([0, 2, 4], np.int32)
    words = shipped_model().vocabulary
    compiled = words.of_containers(names, members, at)
    monkeypatch.setattr(words, "_lexicon", None)
    for one, other in zip(compiled, words.of_containers(names, members, at), strict=True):
        assert one.tolist() == other.tolist()


def test_sums_are_the_same(monkeypatch):
    rows = np.random.default_rng(1).normal(size=(20, 3)).astype(np.float32)
    spans = ranges.Ranges(np.array([0, 0, 5, 9]), np.array([20, 4, 11, 9]), 20)
    values = rows[:4]
    compiled = spans.sum_within(rows), spans.sum_around(values)
    monkeypatch.setattr(ranges, "native", None)
    np.testing.assert_allclose(compiled[0], spans.sum_within(rows), atol=1e-6)
    np.testing.assert_allclose(compiled[1], spans.sum_around(values), atol=1e-6)


FLOATS, ZERO, ONE = np.zeros(4, np.float32), np.array([0]), np.array([1])
ROOM = bytearray(8)


def test_a_lexicon_has_its_words_and_no_others():
    words = {"".join(signs): n for n, signs in enumerate(product("abéz日", repeat=3), 1)}
    lexicon = native.Lexicon(words)
    others = [f"{word}x" for word in words] + [f"x{word}" for word in words] + ["", "é" * 9]
    ids, at = lexicon.line_bags([*words, *others], 200, 20, [""] * (len(words) + len(others)))
    numbers, starts = np.frombuffer(ids, np.int64), np.frombuffer(at, np.int64)
    found = [part[1:].tolist() for part in np.split(numbers, starts[1:])]
    assert found == [[words[word]] for word in words] + [[] for _ in others]


@given(PAGES, st.text(max_size=20), st.sampled_from([None, "Ada Holm", "word, x"]))
def test_the_network_says_the_same(page, title, author):
    found = layout.read_layout(parse_html(page))
    if not found.texts:
        return
    metadata = Metadata(title=title, author=author, description="words two", date="2024-05-17")
    model = shipped_model()
    compiled = reading.read_lines(model, found, metadata)
    plain = reading.read_features(model, measure_page(found, metadata))
    np.testing.assert_allclose(compiled.scores, plain.scores, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(compiled.words, plain.words)


def test_a_network_of_another_width_says_the_same():
    found = layout.read_layout(parse_html("<h1>T</h1><p class=post>Some words.</p><ul><li>a"))
    random = np.random.default_rng(1)
    shipped = shipped_model()
    weights = _first_weights(
        TrainingCourse(width=6, word_width=4), len(shipped.vocabulary.numbers) + 1, random
    )
    model = Model({name: each.array for name, each in weights.items()}, shipped.vocabulary)
    of_articles = reading.read_lines(model, found, Metadata()).scores
    # Pages of each type are read otherwise.
    model.weights["in.by_type"] = random.normal(size=(len(PAGE_TYPES), 6)).astype(np.float32)
    model = Model(model.weights, shipped.vocabulary)
    compiled = reading.read_lines(model, found, Metadata())
    plain = reading.read_features(model, measure_page(found, Metadata()))
    np.testing.assert_allclose(compiled.scores, plain.scores, rtol=1e-3, atol=1e-3)
    assert compiled.page_type == plain.page_type
    assert not np.allclose(compiled.scores, of_articles, atol=1e-2)


def test_weights_that_do_not_fit_are_refused():
    found = layout.read_layout(parse_html("<p>x"))
    weights = {**shipped_model().weights, "up0.b": np.zeros(3, np.float32)}
    with pytest.raises(ValueError, match="fit"):
        reading.read_lines(Model(weights, shipped_model().vocabulary), found, Metadata())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: native.read((), (), 1.0),
        lambda: native.scan(b"bytes", 1),
        lambda: native.signs(b"<p>"),
        lambda: native.around("text", "", 0),
        lambda: native.around("text", "t", -1),
        lambda: native.nearby("<h1>", "h1", 0, list, False),
        lambda: native.sum_within(FLOATS, 2, ZERO, np.array([9]), ROOM),
        lambda: native.sum_within(FLOATS, 0, ZERO, ONE, ROOM),
        lambda: native.sum_around(FLOATS, 2, np.array([7, 0]), ONE, ZERO, ROOM),
        lambda: native.sum_bags(FLOATS, 2, np.array([5]), ZERO, ROOM),
        lambda: native.group(*[np.array([1], np.int32)] * 4),
        lambda: native.join_bags(np.array([0], np.int32), np.array([3], np.int32), ZERO, ZERO),
        lambda: native.count_kinds(["a"], b"short", 12, 10),
        lambda: native.count_kinds([1], bytes(65536), 12, 10),
        lambda: native.Lexicon({"a": "b"}),
        lambda: native.Lexicon({"a": 1}).name_bags([("a", "b")]),
        lambda: native.hold(["a"], b"", "", native.Lexicon({}), "", "", ()),
        lambda: native.hold([1], bytes(4), "", native.Lexicon({}), "", "", ()),
        lambda: native.hold(["a"], bytes(4), "", native.Lexicon({}), "", "", (1,)),
        lambda: native.name_senses([1], *[native.Lexicon({})] * 3),
        lambda: native.Lexicon({"a": 1}).line_bags(["a"], 80, 10, []),
    ],
)
def test_arrays_that_do_not_fit_are_refused(wrong):
    with pytest.raises((ValueError, TypeError)):
        wrong()


def test_whole_pages_are_read_the_same_without_it():
    program = (
        "import json, sys; from telusur.extract.document import extract_document as read\n"
        "for page in json.load(sys.stdin):\n"
        "    found = read(page, 'http://example.org/')\n"
        "    blocks = [(block.text, block.label) for block in found.blocks]\n"
        "    print(json.dumps([found.text, found.title, found.page_type, blocks]))"
    )
    sites = DemoWeb(localhost(8800)).sites.values()
    bodies = [entry.body for site in sites for entry in site.entries.values()]
    pages = [body.decode(errors="replace") for body in bodies if b"<html" in body]
    answers = [
        subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(pages[::7]), text=True, capture_output=True, check=True,
            env={**os.environ, "TELUSUR_PURE": pure},
        ).stdout
        for pure in ("", "1")
    ]  # fmt: skip
    assert answers[0] == answers[1]
    assert answers[0].count("\n") == len(pages[::7]) > 20
