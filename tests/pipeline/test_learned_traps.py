"""Where a trap is cut is decided by what was fetched, not by how fast it came."""

import pytest

import telusur
from tests.sites import Answer, page, serving

DAYS = 9


def month(path):
    """A calendar without end: each month leads to its days and to the next month.

    Some pages are long, so that parsers take longer for them than for those that follow.
    """
    _, _, _, number, *day = path.split("/")
    if day:
        return page(f"Day {day[0]}", "Nothing happens on this day.")
    days = [f"/calendar/2026/{number}/{day}" for day in range(1, DAYS)]
    filler = "<p>" + "</p><p>".join(f"word{n % 7}" for n in range(4000 if int(number) % 3 else 1))
    return page(
        f"Month {number}", "No events." + filler, [*days, f"/calendar/2026/{int(number) + 1}"]
    )


def shop(path):
    """A shop whose pages are all copies of one: the parameter says nothing."""
    return page("Goods", "Boots, a smock, a lamp and a rope, all in stock since this morning.")


def crawl(site, directory, **settings):
    """Return every known URL with its end, and the pages that were kept, in their order."""
    with telusur.open(directory) as collection:
        collection.crawl([site.url("/")], allow_private=True, delay=0, index=False, **settings)
        states = {row["url"]: (row["state"], row["reason"]) for row in collection.urls()}
        kept = [row["url"] for row in collection.pages() if row["title"]]
    return states, kept


@pytest.fixture(scope="module")
def calendar():
    home = page("Home", links=[*(f"/calendar/2026/{number}" for number in range(1, 6)), "/about"])
    about = page("About", "Who keeps this calendar.", ["/calendar/2026/1/1"])
    pages = {"/robots.txt": Answer("", 404), "/": home, "/about": about}
    with serving(pages, otherwise=month) as site:
        yield site


@pytest.fixture(scope="module")
def one_by_one(calendar, tmp_path_factory):
    """The calendar crawled so that each page is written before the next is asked for."""
    return crawl(calendar, tmp_path_factory.mktemp("one") / "c", connections=1)


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_trap_is_cut_at_the_same_page_however_much_is_under_way(
    calendar, one_by_one, tmp_path, workers
):
    states, kept = crawl(calendar, tmp_path / "c", workers=workers)
    assert any(reason.startswith("trap: the last 30 pages") for _, reason in states.values())
    assert kept == one_by_one[1]
    assert states == one_by_one[0]


@pytest.mark.slow
def test_parameters_that_make_copies_are_cut_at_the_same_page(tmp_path):
    home = page("Home", links=[f"/goods?session={number}" for number in range(60)])
    with serving({"/robots.txt": Answer("", 404), "/": home}, otherwise=shop) as site:
        expected = crawl(site, tmp_path / "one", connections=1)
        found = crawl(site, tmp_path / "many", workers=3)
    assert any("were copies" in reason for _, reason in expected[0].values())
    assert found == expected


@pytest.mark.slow
def test_what_was_cut_is_fetched_when_traps_are_wanted(calendar, tmp_path):
    states, kept = crawl(calendar, tmp_path / "c")
    cut = {url for url, (state, _) in states.items() if state == "skipped"}
    assert cut
    states, more = crawl(calendar, tmp_path / "c", traps=False, pages=len(states) + 20)
    assert len(more) > len(kept)
    assert any(states[url] == ("done", "") for url in cut)
