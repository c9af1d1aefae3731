"""What the owner of a crawl remembers of sites, and what it tells the parsers."""

import pytest

from telusur.extract.site.record import SiteRecord
from telusur.memory.store import MemoryStore
from telusur.pipeline.parsing import site_memory, site_shelf
from telusur.pipeline.parsing.site_memory import SiteMemory
from telusur.pipeline.parsing.site_shelf import SiteShelf, ToldSites
from tests.extract.site.pages import evidence_of, page

SITE = "gull.example"


@pytest.fixture
def session():
    opened = MemoryStore().session()
    opened.begin()
    return opened


def learn(memory, *numbers, site=SITE):
    for number in numbers:
        memory.learn(site, evidence_of(page(number), number))


def pages_kept(session, site=SITE):
    packed = session.catalogue.site_record(site)
    return None if packed is None else SiteRecord.from_bytes(packed).pages


def test_what_was_learned_is_kept_in_the_collection(session):
    memory = SiteMemory(session.catalogue)
    learn(memory, 0, 1, 2)
    assert pages_kept(session) is None
    memory.save()
    assert pages_kept(session) == 3
    again = SiteMemory(session.catalogue)
    again.prepare([SITE])
    _, packed = again.latest(SITE)
    assert SiteRecord.from_bytes(packed).pages == 3
    learn(again, 2, 3)
    again.save()
    assert pages_kept(session) == 4


def test_a_site_of_one_page_takes_no_room(session):
    memory = SiteMemory(session.catalogue)
    learn(memory, 0)
    memory.save()
    assert pages_kept(session) is None
    assert memory.latest(SITE) is None


def test_parsers_get_a_new_version_when_much_more_is_known(session):
    memory = SiteMemory(session.catalogue)
    versions = []
    for number in range(20):
        learn(memory, number)
        versions.append((memory.latest(SITE) or (0, b""))[0])
    assert versions[:3] == [0, 1, 2]
    assert 5 < versions[-1] < 12
    learn(memory, 0)
    assert memory.latest(SITE)[0] == versions[-1]


def test_sites_that_are_not_in_use_leave_memory(session, monkeypatch):
    monkeypatch.setattr(site_memory, "MOST_SITES", 2)
    memory = SiteMemory(session.catalogue)
    learn(memory, 0, 1, site="a.example")
    memory.prepare(["b.example", "a.example", "c.example"])
    assert memory.latest("a.example") is not None
    memory.prepare(["d.example"])
    assert memory.latest("a.example") is None
    assert pages_kept(session, "a.example") == 2
    learn(memory, 2, site="a.example")
    assert SiteRecord.from_bytes(memory.latest("a.example")[1]).pages == 3


def test_whoever_starts_over_forgets_what_was_known(session):
    memory = SiteMemory(session.catalogue)
    learn(memory, 0, 1, 2)
    memory.save()
    again = SiteMemory(session.catalogue, starts_over=True)
    learn(again, 5, 6)
    again.save()
    assert pages_kept(session) == 2


def test_whoever_starts_over_goes_on_with_its_own(session, monkeypatch):
    monkeypatch.setattr(site_memory, "MOST_SITES", 1)
    memory = SiteMemory(session.catalogue, starts_over=True)
    learn(memory, 0, site="a.example")
    learn(memory, 0, site="b.example")
    learn(memory, 1, site="a.example")
    memory.save()
    assert pages_kept(session, "a.example") == 2


def test_a_parser_is_told_once_what_changed(session):
    memory = SiteMemory(session.catalogue)
    told, shelf = ToldSites(), SiteShelf()
    urls = [f"http://www.{SITE}/1", f"http://{SITE}/2", "http://other.example/"]
    assert told.news_for(urls, memory.latest) == []
    learn(memory, 0, 1, 2)
    news = told.news_for(urls, memory.latest)
    assert [site for site, _ in news] == [SITE]
    assert told.news_for(urls, memory.latest) == []
    shelf.take(news)
    assert shelf.record_of(urls[1]).pages == 3
    assert shelf.record_of("http://other.example/").pages == 0
    learn(memory, *range(3, 9))
    assert len(told.news_for(urls, memory.latest)) == 1


def test_owner_and_parser_forget_the_same_sites(monkeypatch):
    monkeypatch.setattr(site_shelf, "MOST_SITES", 2)
    packed = SiteRecord().to_bytes()
    told, shelf = ToldSites(), SiteShelf()
    for name in ("a", "b", "a", "c", "a", "b"):
        news = told.news_for([f"http://{name}.example/"], lambda _site: (1, packed))
        shelf.take(news)
        assert shelf.has(f"{name}.example")
