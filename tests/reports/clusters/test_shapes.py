from dataclasses import replace

import pytest

from telusur.models import Block
from telusur.reports.clusters.shapes import common_selector, key_of, shape_of

BLOCK = Block(
    "x", tag_path="html/body/main/p",
    selectors="html > body.page-12 > main#story-3.post > div.text > p.lead",
)  # fmt: skip


def test_the_shape_of_a_block_has_its_nearest_names_without_digits():
    shape = shape_of(BLOCK, 12)
    assert shape == ("html/body/main/p", "div.text > p.lead", 0, 3)
    other_page = replace(BLOCK, selectors=BLOCK.selectors.replace("page-12", "tag-ferries"))
    assert shape_of(other_page, 12) == shape
    assert shape_of(BLOCK, 200) != shape
    assert shape_of(BLOCK, 200).place == shape.place
    assert shape_of(replace(BLOCK, link_density=1.0), 12).place != shape.place


def test_keys_of_the_same_shapes_are_equal():
    one, other = shape_of(BLOCK, 1), shape_of(BLOCK, 90)
    assert key_of([one, other, one]) == key_of([other, one]) != key_of([one])


@pytest.mark.parametrize(
    ("paths", "selector"),
    [
        (["html > body > p.a"], "body > p.a"),
        (["html > body > p.a.b", "html > body > p.b"], "body > p.b"),
        (["html > body > ul > li", "html > body > ol > li"], "body > * > li"),
        (["html > body > div.x > p", "html > body > p"], "body p"),
        (["html > body > h1", "html > body > main > h2"], "body"),
        (["html"], "html"),
        ([""], "*"),
        (["html > p", "div"], "*"),
    ],
)
def test_a_selector_that_fits_all_paths(paths, selector):
    assert common_selector(dict.fromkeys(paths, 1)) == selector
