"""What was learned about a site, shown by some of its pages."""

from telusur.extract.site.record import SiteRecord
from telusur.reports.learned_sites.site_frame import read_frame
from tests.extract.site.pages import FRAME, page, site_of, words

PAGES = {f"http://gull.example/{number}": page(number) for number in range(8)}


def frame_of(record, urls=tuple(PAGES)):
    return read_frame("gull.example", record.to_bytes(), urls, PAGES.get)


def test_texts_that_repeat_are_listed_with_their_pages():
    frame = frame_of(site_of(*range(8)))
    assert (frame.pages, frame.is_used, len(frame.looked_at)) == (8, True, 8)
    repeated = {each.text: each.pages for each in frame.texts}
    assert repeated[FRAME] == 8
    assert repeated["Sport"] == 8
    assert words(3) not in repeated
    assert next(each.selector for each in frame.texts if each.text == "Sport").endswith("> li")


def test_places_tell_what_stood_there():
    frame = frame_of(site_of(*range(8)))
    menu = next(each for each in frame.places if each.selector.endswith("> li"))
    story = next(each for each in frame.places if each.example.startswith("On day"))
    assert menu.pages == story.pages == 8
    assert menu.repeating > 0.8
    assert story.content > menu.content


def test_the_place_of_the_title_is_known():
    (title,) = [each for each in frame_of(site_of(*range(8))).facts if each.fact == "title"]
    assert title.selector.endswith("h2.name")
    assert title.pages == 8
    assert title.example.startswith("Story")
    assert title.is_usual is True


def test_of_a_site_without_a_record_nothing_is_said():
    frame = read_frame("gull.example", None, PAGES, PAGES.get)
    assert (frame.pages, frame.is_used, frame.looked_at, frame.texts) == (0, False, (), ())
    assert not frame_of(site_of(1)).is_used


def test_pages_that_are_gone_are_left_out():
    frame = frame_of(site_of(*range(8)), ["http://gull.example/2", "http://gull.example/gone"])
    assert frame.looked_at == ("http://gull.example/2",)


def test_a_damaged_record_says_nothing():
    frame = read_frame("gull.example", SiteRecord().to_bytes()[:5], PAGES, PAGES.get)
    assert not frame.is_used
