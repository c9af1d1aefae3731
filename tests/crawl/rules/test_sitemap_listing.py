from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.sitemap_listing import AT_ONCE, Listed, Listing, lead_of
from telusur.models import Link


def listed(number):
    link = Link(f"http://a.example/{number}")
    return Listed(FoundLink(bytes([number % 256]), "http://a.example", "a", "", link), 2e9, "daily")


def test_what_is_packed_comes_out_a_bounded_number_at_a_time():
    pieces = [[listed(number) for number in range(size)] for size in (AT_ONCE, 5)]
    listing = Listing(AT_ONCE + 5)
    for piece in (*pieces, []):
        listing.pack(piece)
    assert list(listing.unpacked()) == pieces
    assert len(listing.packs[0]) < 40 * AT_ONCE


def test_a_priority_weighs_less_than_any_step_of_a_strategy():
    assert lead_of(None) == lead_of(0.5) == 0.0
    assert 0.001 > lead_of(1.0) > 0.0 > lead_of(0.0) > -0.001
