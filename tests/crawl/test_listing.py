from telusur.crawl.discovery import FoundLink
from telusur.crawl.listing import AT_ONCE, Listed, Listing
from telusur.models import Link


def listed(number, **said):
    link = Link(f"http://a.example/{number}")
    return Listed(FoundLink(bytes([number % 256]), "http://a.example", "a", "", link), **said)


def test_what_is_packed_comes_out_a_bounded_number_at_a_time():
    rows = [listed(number) for number in range(2 * AT_ONCE + 5)]
    listing = Listing.of(rows, len(rows), "many")
    pieces = list(listing.unpacked())
    assert [len(piece) for piece in pieces] == [AT_ONCE, AT_ONCE, 5]
    assert [row for piece in pieces for row in piece] == rows
    assert sum(map(len, listing.packs)) < 40 * len(rows)


def test_priority_comes_before_date_and_neither_weighs_much():
    old, new = listed(1, lastmod=1e9), listed(2, lastmod=2e9)
    high, low = listed(3, priority=1.0), listed(4, priority=0.0, lastmod=2e9)
    (rows,) = Listing.of([low, old, new, high], 4).unpacked()
    assert rows == [high, new, old, low]
    assert (old.lead(), high.lead(), low.lead()) == (0.0, 0.0005, -0.0005)
