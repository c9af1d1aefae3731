"""Real pages read with the record of their site."""

import pickle

import pytest

from telusur.extract.content import labels
from telusur.extract.document import extract_document, read_page
from telusur.extract.site.record import SiteRecord
from tests.extract.site.pages import FRAME, evidence_of, page, read, site_of, words


def block(reading, text):
    return next(one for one in reading.document.blocks if one.text == text)


def test_what_repeats_on_the_site_is_left_out():
    reading = read(page(9), 9, site_of(*range(6)))
    assert FRAME not in reading.document.text
    assert words(9) in reading.document.text
    assert block(reading, FRAME).label == "other"


def test_a_block_tells_on_how_many_pages_it_repeats():
    reading = read(page(9), 9, site_of(*range(6)))
    assert block(reading, FRAME).on_site == "repeats on 6 of 6 other pages of this site"
    assert block(reading, "Sport").on_site == "repeats on 6 of 6 other pages of this site"
    assert block(reading, words(9)).on_site == ""


def test_a_page_of_the_record_does_not_count_itself():
    reading = read(page(3), 3, site_of(*range(6)))
    assert block(reading, FRAME).on_site == "repeats on 5 of 5 other pages of this site"


def test_a_site_without_pages_changes_nothing():
    alone = extract_document(page(9), "http://gull.example/9")
    known = read(page(9), 9).document
    assert known == alone
    assert [one.on_site for one in known.blocks if one.on_site] == []


def test_without_a_record_a_page_tells_nothing_about_its_site():
    assert read_page(page(9), "http://gull.example/9").site is None
    assert read_page("", "http://gull.example/9", site=SiteRecord()).site is None
    text = read_page(page(9), "http://gull.example/9", content="text", site=SiteRecord())
    assert text.site is None


TITLED = (
    "<html><head><title>{0} jobs - find work today</title></head><body><div class=top>"
    "<p class=offer>{0}</p></div><div class=story><p>{1}</p></div></body></html>"
)


def titled(number):
    names = ("Pilot", "Keeper of lights", "Carpenter", "Cook", "Captain of a ferry", "Diver")
    return TITLED.format(names[number], words(number))


def test_the_title_stands_where_it_stands_on_other_pages_of_the_site():
    record = SiteRecord()
    record.learn(evidence_of(titled(number), number) for number in range(4))
    known = read(titled(4), 4, record)
    assert read(titled(4), 4).document.title == "Captain of a ferry jobs"
    assert known.document.title == "Captain of a ferry"
    assert block(known, "Captain of a ferry").label == "title"


def test_a_title_that_the_page_shows_is_kept():
    known = read(page(9), 9, site_of(*range(6)))
    assert known.site.title == ""
    assert known.document.title == "Story 9 of the coast"


def test_a_very_long_page_tells_about_its_first_lines(monkeypatch):
    monkeypatch.setattr(labels, "MAX_LINES", 4)
    reading = read(page(9), 9, site_of(*range(6)))
    assert len(reading.site.evidence.texts) == 4
    explained = [one.on_site for one in reading.document.blocks]
    assert len(explained) == len(reading.document.blocks) == 7
    assert [bool(words) for words in explained] == [True, True, True, False, False, False, False]


@pytest.mark.parametrize("number", [0, 1])
def test_evidence_travels_between_processes(number):
    evidence = evidence_of(page(number), number)
    again = pickle.loads(pickle.dumps(evidence))
    assert (again.texts == evidence.texts).all()
    assert again.address == evidence.address


def test_a_reading_has_the_text_that_copies_are_recognised_by():
    # Nothing but the other pages of the site tells that this paragraph belongs to the frame.
    pages = [page(number).replace("<p class=promo>", "<p>") for number in range(10)]
    site = SiteRecord()
    site.learn(evidence_of(pages[number], number) for number in range(6))
    alone, known = read(pages[9], 9), read(pages[9], 9, site)
    assert alone.document.text != known.document.text
    assert known.text_alone == alone.text_alone == alone.document.text
    assert known.title_alone == alone.document.title


def test_a_text_that_all_pages_have_is_no_frame_if_nothing_else_is_left():
    def case(number):
        title = f"<title>Case {number}</title><h1>Case {number}</h1>"
        return f"{title}<p>Lamp {number}</p><p>{FRAME} {words(0)}</p>"

    site = SiteRecord()
    site.learn(evidence_of(case(number), number) for number in range(12))
    reading = read(case(20), 20, site)
    assert FRAME in reading.document.text
    assert reading.document.text == extract_document(case(20), "http://gull.example/20").text


def test_a_short_paragraph_that_only_this_page_has_stays_beside_its_text():
    def story(number, first):
        return page(number).replace("<p>", f"<p>{first}</p><p>", 1)

    site = SiteRecord()
    links = ("<a href=/a>Sport in the bay</a>", "<a href=/b>Boats for sale</a>")
    site.learn(evidence_of(story(n, links[n % 2]), n) for n in range(8))
    reading = read(story(9, "The lamp is out."), 9, site)
    assert "The lamp is out." in reading.document.text
    assert FRAME not in reading.document.text
