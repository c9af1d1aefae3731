"""Author and date of pages that do not tell them, by their place on other pages of the site."""

from telusur.extract.facts.metadata import Metadata
from telusur.extract.site.fact_places import add_facts_by_place, find_fact_line
from telusur.extract.site.record import SiteRecord
from telusur.models import Document
from tests.extract.site.pages import evidence_of, read, words

NAMES = ("Ada Lind", "Bo Ek", "Siti Rahma", "Jan Novak", "Ana Silva", "Eva Holm")


def story(number, top, data=""):
    return (
        f"<html><head><title>Story {number} of the coast</title>{data}</head><body>"
        f"<div class=top>{top}</div><h1>Story {number} of the coast</h1>"
        f"<div class=story><p>{words(number)}</p><p>{words(number + 500)}</p></div></body></html>"
    )


def known_site(top, data, count=5):
    record = SiteRecord()
    pages = [story(number, top(number), data(number)) for number in range(count)]
    record.learn(evidence_of(one, number) for number, one in enumerate(pages))
    return record


def named(number):
    # Only data of the page tell that this is the author.
    return f"<p class=who>{NAMES[number]}</p><p class=menu>The coast</p>"


def declared(number):
    return f'<meta name=author content="{NAMES[number]}"><meta property="og:type" content=article>'


def dated(number):
    return f"<p class=when>2024-05-{number + 10}</p>"


def published(number):
    return f'<meta property="article:published_time" content="2024-05-{number + 10}">'


def settle(reading, record, metadata=None, **fields):
    """Return the document of a page that lacks what is not given, with the facts by place."""
    document = Document(**({"url": "http://gull.example/5", "page_type": "article"} | fields))
    add_facts_by_place(document, metadata or Metadata(), reading.site, record)
    return document


def test_a_page_without_an_author_gets_the_person_at_the_usual_place():
    record = known_site(named, declared)
    alone, known = read(story(5, named(5)), 5), read(story(5, named(5)), 5, record)
    assert alone.document.page_type == "article"
    assert alone.document.author is None
    assert known.document.author == "Eva Holm"
    (block,) = [one for one in known.document.blocks if one.text == "Eva Holm"]
    assert (
        block.on_site == "5 of 5 other pages of this site have this place, mostly with the author"
    )


def test_what_stands_there_on_most_pages_is_no_author():
    record = known_site(lambda number: named(0), lambda number: declared(0))
    assert read(story(5, named(0)), 5, record).document.author is None


def test_what_is_no_person_is_no_author():
    record = known_site(named, declared)
    top = "<p class=who>our reporters at the sea</p><p class=menu>The coast</p>"
    assert read(story(5, top), 5, record).document.author is None


def test_a_list_at_the_place_is_none():
    record = known_site(named, declared)
    top = "".join(f"<p class=who>{name}</p>" for name in NAMES)
    assert read(story(5, top), 5, record).document.author is None


def test_a_page_that_names_its_author_keeps_it():
    record = known_site(named, declared)
    page = story(5, named(5), '<meta name=author content="Kim Berg">')
    assert read(page, 5, record).document.author == "Kim Berg"


def test_a_page_of_the_record_does_not_count_itself():
    record = known_site(named, declared, count=3)
    reading = read(story(0, named(0), declared(0)), 0, record)
    assert find_fact_line(reading.site, record, "author") is not None
    assert find_fact_line(reading.site, SiteRecord(), "author") is None


def test_a_page_without_a_day_gets_the_one_at_the_usual_place():
    record = known_site(dated, published)
    reading = read(story(5, dated(5)), 5, record)
    assert settle(reading, record).date == "2024-05-15"
    assert settle(reading, record, date="2024-01-01").date == "2024-01-01"


def test_days_to_come_and_texts_without_a_day_do_not_count():
    record = known_site(dated, published)
    for text in ("2999-05-15", "of the sea"):
        reading = read(story(5, f"<p class=when>{text}</p>"), 5, record)
        assert settle(reading, record).date is None


def test_lists_and_front_pages_have_no_day():
    record = known_site(dated, published)
    reading = read(story(5, dated(5)), 5, record)
    assert settle(reading, record, page_type="listing").date is None
    assert settle(reading, record, Metadata(is_front_page=True)).date is None
