"""What a record of the site does to the probabilities of a page's lines."""

import numpy as np
import pytest

from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.judging import judge_lines
from telusur.extract.site.record import SiteRecord

MENU, PROMO, FIRST, SECOND = 0, 1, 2, 3


def page_of(address, likely=(0.1, 0.7, 0.9, 0.6), texts=None, words=(2, 20, 80, 80)):
    """Return a page with a menu and a promotion, which repeat, and two paragraphs of its own."""
    own = [1, 2, address * 100, address * 100 + 1]
    return PageEvidence(
        address,
        np.array(own if texts is None else texts, np.uint64),
        np.array([11, 12, 13], np.uint64),
        np.array([0, 1, 2, 2]),
        np.array(words, np.float32),
        np.array(likely, np.float32),
    )


def record_of(*pages):
    record = SiteRecord()
    record.learn(pages)
    return record


SEEN = [page_of(number) for number in range(1, 9)]


def test_a_text_that_repeats_at_its_place_is_frame():
    judged = judge_lines(record_of(*SEEN), page_of(50))
    assert judged.repeats.tolist() == [8, 8, 0, 0]
    assert judged.pages == 8
    assert judged.likely[PROMO] < 0.1
    assert judged.likely[FIRST] > 0.8


def test_a_place_is_believed_to_be_what_it_was_on_other_pages():
    judged = judge_lines(record_of(*SEEN), page_of(50, likely=(0.1, 0.7, 0.9, 0.2)))
    assert judged.likely[SECOND] > 0.4
    assert judged.place_pages.tolist() == [8, 8, 8, 8]


def test_a_place_far_from_the_core_of_the_site_is_no_content():
    seen = [
        page_of(n, likely=(0.1, 0.55, 0.999, 0.999), texts=range(n * 10, n * 10 + 4))
        for n in range(1, 9)
    ]
    judged = judge_lines(record_of(*seen), page_of(50, likely=(0.1, 0.55, 0.999, 0.999)))
    assert judged.likely[PROMO] < 0.3


@pytest.mark.parametrize("count", [0, 1])
def test_with_too_few_pages_nothing_is_said(count):
    page = page_of(50)
    judged = judge_lines(record_of(*SEEN[:count]), page)
    assert judged.likely.tolist() == page.likely.tolist()


def test_a_page_that_is_in_the_record_does_not_count_for_itself():
    again = judge_lines(record_of(*SEEN), SEEN[0])
    fresh = judge_lines(record_of(*SEEN[1:]), SEEN[0])
    assert (again.pages, again.repeats.tolist()) == (7, [7, 7, 0, 0])
    assert np.allclose(again.likely, fresh.likely, atol=1e-4)


def test_the_text_of_a_page_with_a_copy_is_no_frame():
    article = page_of(60)
    copy = page_of(61, texts=article.texts)
    judged = judge_lines(record_of(copy, *SEEN[:3]), article)
    assert judged.repeats.tolist() == [4, 4, 1, 1]
    assert judged.likely[FIRST] > 0.8
    judged = judge_lines(record_of(copy, page_of(62, texts=article.texts), *SEEN[:1]), article)
    assert judged.likely[FIRST] > 0.8


def page_of_records(number):
    page = page_of(number, likely=(0.8,) * 4, texts=[5, 5, 5, number], words=(1, 1, 1, 60))
    page.places, page.place_of = page.places[:1], page.place_of * 0
    return page


@pytest.mark.parametrize("page_type", ["listing", "product", "documentation"])
def test_labels_of_records_are_content_although_they_repeat(page_type):
    seen = [page_of_records(number) for number in range(1, 9)]
    page = page_of_records(50)
    assert judge_lines(record_of(*seen), page, page_type).likely.min() > 0.7
    assert judge_lines(record_of(*seen), page, "article").likely[MENU] < 0.2


def test_a_page_without_anything_known_stays_as_it_is():
    page = page_of(50, texts=[91, 92, 93, 94])
    page.places[:] = (21, 22, 23)
    judged = judge_lines(record_of(*SEEN), page)
    assert np.allclose(judged.likely, page.likely, atol=1e-3)
