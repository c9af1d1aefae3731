import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telusur.learn.pages.source_features import (
    CSS_WIDTH,
    PATH_WIDTH,
    TAGS,
    css_features,
    path_features,
    source_features,
)
from telusur.learn.pages.styles import PageStyles
from telusur.models import Block


def test_a_path_counts_its_tags_and_knows_the_last_and_the_depth():
    row = path_features("html/body/div/div/div/p")
    assert row[TAGS.index("div")] == 2  # three: log2(1 + 3)
    assert row[TAGS.index("p")] == 1
    assert row[len(TAGS) + TAGS.index("p")] == 1
    assert row[len(TAGS) + TAGS.index("div")] == 0
    assert row[-2] == 6 / 16
    assert path_features("html/body/x-card/x-part")[-1] == 2


def test_looks_that_differ_give_rows_that_differ():
    plain = css_features({"display": "block", "font-size": "16px"})
    changes = [
        {"font-size": "32px"}, {"font-weight": "700"}, {"color": "red"}, {"display": "none"},
        {"background-color": "rgb(0, 0, 0)"}, {"float": "left"}, {"margin-left": "40px"},
        {"text-decoration": "underline solid"}, {"line-height": "2"}, {"opacity": "0.5"},
    ]  # fmt: skip
    for change in changes:
        assert not np.array_equal(css_features({"display": "block", **change}), plain), change
    assert np.array_equal(css_features({"text-align": "start"}), css_features({}))


def test_a_row_is_path_then_style():
    blocks = [Block("x", tag_path="html/body/h1"), Block("y", css={"display": "flex"})]
    rows = source_features(blocks, PageStyles(""))
    assert rows.shape == (2, PATH_WIDTH + CSS_WIDTH)
    assert np.array_equal(rows[0, :PATH_WIDTH], path_features("html/body/h1"))
    assert np.array_equal(rows[1, PATH_WIDTH:], css_features({"display": "flex"}))
    assert source_features([], PageStyles("")).shape == (0, PATH_WIDTH + CSS_WIDTH)


LENGTHS = st.tuples(st.floats(-1e60, 1e60), st.sampled_from(["px", "em", "%", ""]))
NAMES = ["font-size", "margin-left", "line-height", "opacity", "font-weight", "width"]


@given(st.dictionaries(st.sampled_from(NAMES), LENGTHS.map(lambda pair: f"{pair[0]:f}{pair[1]}")))
def test_no_style_gives_numbers_out_of_bounds(css):
    row = css_features(css)
    assert np.isfinite(row).all()
    assert np.abs(row).max() <= 4


def test_the_longhands_of_a_browser_count_like_their_shorthand():
    assert (css_features({"overflow-x": "hidden"}) == css_features({"overflow": "hidden"})).all()
    assert (css_features({"overflow-x": "hidden"}) != css_features({})).any()
