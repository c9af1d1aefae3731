"""The record of a site: what it counts, how it forgets, and how it is kept."""

import numpy as np
import pytest

from telusur.extract.site import record as module
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.record import OfPlace, OfText, SiteRecord


def page_of(address, texts, place_of=None, likely=0.5):
    places = sorted(set(place_of or [0]))
    of = np.array([places.index(place) for place in place_of or [0] * len(texts)])
    return PageEvidence(
        address,
        np.array(texts, np.uint64),
        np.array(places, np.uint64) + np.uint64(1000),
        of,
        np.ones(len(texts), np.float32),
        np.full(len(texts), likely, np.float32),
    )


def pages_with(record, text):
    return float(record.texts.find(np.array([text], np.uint64))[0, OfText.PAGES])


def place_row(record, place):
    return record.places.find(np.array([1000 + place], np.uint64))[0]


def test_a_text_counts_once_a_page():
    record = SiteRecord()
    record.learn([page_of(1, [7, 7, 8]), page_of(2, [8, 9])])
    assert record.pages == 2
    assert [pages_with(record, text) for text in (7, 8, 9, 10)] == [1, 2, 1, 0]


def test_a_page_counts_once():
    record = SiteRecord()
    record.learn([page_of(1, [7]), page_of(1, [7])])
    assert (record.pages, pages_with(record, 7)) == (1, 1)
    assert record.knows(1)
    assert not record.wants(1)


def test_a_place_counts_pages_lines_and_lines_that_were_known():
    record = SiteRecord()
    record.learn([page_of(1, [7, 8], [0, 0]), page_of(2, [7, 9, 9], [0, 0, 3])])
    row = place_row(record, 0)
    assert (row[OfPlace.PAGES], row[OfPlace.LINES], row[OfPlace.REPEATED]) == (2, 4, 1)
    assert place_row(record, 3)[OfPlace.LINES] == 1


def test_facts_are_counted_at_their_places():
    record = SiteRecord()
    first, second = page_of(1, [7, 8], [0, 3]), page_of(2, [7, 8], [0, 3])
    first.facts[:], second.facts[0] = (1, 0, -1), 1
    record.learn([first, second])
    assert place_row(record, 3)[OfPlace.FACTS :].tolist() == [2, 0, 0]
    assert place_row(record, 0)[OfPlace.FACTS :].tolist() == [0, 1, 0]


def test_later_pages_count_one_in_a_few():
    record = SiteRecord()
    record.learn(page_of(number, [number]) for number in range(1_000, 1_400))
    sampled = 64 + len(range(1_064, 1_400, 8))
    assert record.pages == sampled


def test_memory_is_bounded_and_what_repeats_stays(monkeypatch):
    monkeypatch.setattr(module, "MOST_TEXTS", 50)
    record = SiteRecord()
    record.learn(page_of(number, [1, 2, *range(100 * number, 100 * number + 30)])
                 for number in range(10, 40))  # fmt: skip
    assert len(record.texts.keys) <= 50 * 1.25
    assert (pages_with(record, 1), pages_with(record, 2)) == (30, 30)
    # Of the texts that do not repeat, the latest stay.
    assert pages_with(record, 3929) == 1
    assert pages_with(record, 1000) == 0


def test_an_old_design_is_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAGES", 20)
    monkeypatch.setattr(module, "_ONE_IN", 1)
    record = SiteRecord()
    record.learn(page_of(number, [1], likely=0.9) for number in range(30))
    record.learn(page_of(number, [2], likely=0.9) for number in range(100, 200))
    assert record.pages <= 20
    assert pages_with(record, 1) == 0
    assert pages_with(record, 2) > 8
    row = place_row(record, 0)
    assert abs(row[OfPlace.CERTAINTY] / row[OfPlace.PAGES] - np.log(9)) < 1e-3
    record.learn([page_of(100, [2])])
    assert record.knows(199)


def test_a_record_is_kept_as_bytes():
    record = SiteRecord()
    record.learn([page_of(1, [7, 8], [0, 3]), page_of(2, [7, 9], [0, 4])])
    again = SiteRecord.from_bytes(record.to_bytes())
    again.learn([page_of(3, [7, 10], [0, 5])])
    assert (again.pages, pages_with(again, 7), pages_with(again, 8)) == (3, 3, 1)
    assert place_row(again, 0)[OfPlace.PAGES] == 3
    assert pages_with(record, 7) == 2


def test_an_empty_record_is_kept_too():
    assert SiteRecord.from_bytes(SiteRecord().to_bytes()).pages == 0


@pytest.mark.parametrize("cut", [0, 3, 10, -1])
def test_damaged_bytes_are_an_empty_record(cut):
    record = SiteRecord()
    record.learn([page_of(1, [7, 8])])
    assert SiteRecord.from_bytes(record.to_bytes()[:cut]).pages == 0


def test_a_copy_learns_apart():
    record = SiteRecord()
    record.learn([page_of(1, [7])])
    copy = record.copy()
    copy.learn([page_of(2, [7])])
    assert (pages_with(record, 7), pages_with(copy, 7)) == (1, 2)
