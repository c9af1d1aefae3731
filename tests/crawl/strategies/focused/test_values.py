"""What links add to the sums of their targets: the same compiled and in Python."""

import numpy as np
import pytest

from telusur.crawl.strategies.focused import values as focused_values
from telusur.crawl.strategies.focused.features import CHANGING
from telusur.crawl.strategies.focused.values import (
    Judged,
    Links,
    TermTables,
    add_links,
    list_shares,
)

URLS, TERMS = 30, 12


def made_up(sizes: list[int], seed: int = 1) -> tuple[Links, Judged, np.ndarray, TermTables]:
    chance = np.random.default_rng(seed)
    count = sum(sizes)
    anchor_lengths, around_lengths = (chance.integers(0, most, count, np.int32) for most in (4, 9))
    links = Links(
        np.array(sizes, np.int32),
        chance.integers(0, URLS, count, np.int32),
        chance.integers(0, TERMS, anchor_lengths.sum(), np.int32),
        anchor_lengths,
        chance.integers(0, TERMS, around_lengths.sum(), np.int32),
        around_lengths,
        np.concatenate([np.zeros(0), *(list_shares(size) for size in sizes)]),
    )
    outcomes = np.where(chance.random(URLS) < 0.5, np.nan, chance.random(URLS))
    judged = Judged(chance.random(len(sizes)), chance.random(len(sizes)))
    tables = TermTables(chance.normal(size=(TERMS, 5)), chance.normal(size=(TERMS, 3)))
    return links, judged, outcomes, tables


def sums_by(monkeypatch, web, *, compiled: bool) -> np.ndarray:
    sums = np.ones((len(CHANGING), URLS + 5))
    with monkeypatch.context() as patch:
        if not compiled:
            patch.setattr(focused_values, "native", None)
        add_links(*web, sums)
    return sums


@pytest.mark.parametrize("sizes", [[], [0], [1], [7, 0, 1, 40], [3] * 20])
def test_compiled_or_not_links_add_the_same(monkeypatch, sizes):
    assert focused_values.native is not None, "Telusur was installed without a compiler"
    web = made_up(sizes)
    compiled = sums_by(monkeypatch, web, compiled=True)
    assert compiled == pytest.approx(sums_by(monkeypatch, web, compiled=False))
    assert (compiled[:, URLS:] == 1).all(), "room for URLs to come"
    assert (compiled[-1, :URLS] > 1).sum() == len(set(web[0].targets.tolist()))


def test_what_does_not_fit_is_refused():
    links, judged, outcomes, tables = made_up([3, 2])
    sums = np.zeros((len(CHANGING), URLS))
    far = np.full(5, URLS, np.int32)
    unfit = [
        links._replace(targets=far),
        links._replace(targets=-far),
        links._replace(sizes=np.array([3, 3], np.int32)),
        links._replace(anchors=links.anchors[:-1]),
        links._replace(arounds=links.arounds + TERMS),
        links._replace(list_shares=np.zeros(4)),
    ]
    for one in unfit:
        with pytest.raises(ValueError, match="do not fit"):
            add_links(one, judged, outcomes, tables, sums)
    with pytest.raises(ValueError, match="do not fit"):
        add_links(links, judged, outcomes, tables, sums[:, 1:].copy())
    assert not sums.any()
