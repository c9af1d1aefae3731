import pytest

from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.page_signs import COUNT, page_signs


def signs_of(url="", *types):
    return page_signs(Metadata(url=url, schema_types=list(types)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://forum.example/t/lamp/12", "https://a.example/forum/viewtopic.php?t=3"),
        ("https://a.example/products/lamp", "https://shop.example/product/12"),
        ("https://docs.example/install", "https://a.example/docs/"),
        ("https://a.example/blog/how-lamps-work", "https://a.example/news/2024/lamps"),
    ],
)
def test_addresses_of_one_kind_share_a_sign(one, other):
    shared = [a * b for a, b in zip(signs_of(one)[8:15], signs_of(other)[8:15], strict=True)]
    assert any(shared)
    assert not any(signs_of("https://a.example/x")[8:15])


def test_what_a_page_says_it_holds_is_a_sign():
    assert signs_of("", "product") != signs_of("", "newsarticle") != signs_of()
    assert signs_of("", "blogposting")[:8] == signs_of("", "newsarticle")[:8]


@pytest.mark.parametrize("url", ["", "x", "http://", "https://a.example/" + "a-" * 5000, "://?#"])
def test_every_address_has_all_signs_in_bounds(url):
    signs = signs_of(url)
    assert len(signs) == COUNT
    assert all(0 <= sign <= 1 for sign in signs)
