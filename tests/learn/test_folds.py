from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.errors import UsageError
from telusur.learn.folds import folds_by_page, folds_by_site, hold_out


@dataclass(frozen=True)
class Thing:
    site: str
    number: int


def things(counts: list[int]) -> list[Thing]:
    return [Thing(f"s{site}", one) for site, count in enumerate(counts) for one in range(count)]


COUNTS = st.lists(st.integers(1, 9), min_size=5, max_size=30)


@given(COUNTS, st.integers(2, 5), st.integers(0, 3))
def test_by_site_no_site_is_on_both_sides_and_each_page_is_asked_once(counts, number, seed):
    pages = things(counts)
    folds = folds_by_site(pages, number, seed)
    assert len(folds) == number
    for known, unknown in folds:
        assert {page.site for page in known}.isdisjoint(page.site for page in unknown)
        assert len(known) + len(unknown) == len(pages)
    asked = [page for _, unknown in folds for page in unknown]
    assert sorted(asked, key=pages.index) == pages
    sizes = [len(unknown) for _, unknown in folds]
    assert max(sizes) - min(sizes) <= max(counts)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=30), st.integers(2, 5))
def test_by_page_every_page_has_others_of_its_site(counts, number):
    pages = things([*counts, 5])
    folds = folds_by_page(pages, number)
    for known, unknown in folds:
        assert {page.site for page in unknown} <= {page.site for page in known}
        assert sorted([*known, *unknown], key=pages.index) == pages
    asked = [page for _, unknown in folds for page in unknown]
    large = {f"s{site}" for site, count in enumerate([*counts, 5]) if count >= 3}
    assert set(asked) == {page for page in pages if page.site in large}
    assert len(asked) == len(set(asked))


def test_the_same_seed_gives_the_same_folds():
    pages = things([3, 1, 4, 1, 5, 9, 2, 6])
    assert folds_by_site(pages) == folds_by_site(pages)
    assert folds_by_page(pages) == folds_by_page(pages)
    assert folds_by_page(pages) != folds_by_page(pages, seed=1)


def test_a_tenth_is_held_out_when_there_are_enough():
    used, held_out = hold_out(things([100]))
    assert (len(used), len(held_out)) == (90, 10)
    assert set(used).isdisjoint(held_out)
    assert hold_out(things([9])) == (things([9]), [])


def test_what_cannot_be_divided_is_told():
    with pytest.raises(UsageError, match="4 cannot be made of 2 sites"):
        folds_by_site(things([5, 5]), 4)
    with pytest.raises(UsageError, match="1 is too few"):
        folds_by_site(things([5, 5]), 1)
    with pytest.raises(UsageError, match="No site has 3 pages"):
        folds_by_page(things([1, 2, 2]))
