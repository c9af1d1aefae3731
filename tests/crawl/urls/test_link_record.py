import re

import pytest

from telusur.crawl.urls.link_record import find_links, pack_links, unpack_links
from telusur.models import Link


@pytest.mark.parametrize(
    "links",
    [
        [],
        [Link("http://a.example/")],
        [
            Link("http://a.example/b", "Leuchtturm Süd", "vor dem nach", "ugc nofollow", 0),
            Link("http://a.example/c?d=e", "灯台", "", "", 7),
        ],
    ],
)
def test_links_come_back_as_they_were(links):
    assert unpack_links(pack_links(links)) == links


def test_the_page_is_not_repeated_in_each_link():
    assert unpack_links(pack_links([Link("http://a.example/", parent="http://b.example/")])) == [
        Link("http://a.example/")
    ]


def test_half_a_character_does_not_stop_the_crawl():
    (link,) = unpack_links(pack_links([Link("http://a.example/", "half \ud83d of it")]))
    assert link.anchor == "half ? of it"


def test_only_links_whose_row_has_a_match_are_read():
    links = [Link(f"http://a.example/{n}", "Boat" if n % 3 else "", "", "", n) for n in range(9)]
    record = pack_links(links)
    assert find_links(record, re.compile(r"/[45]\tBoat")) == links[4:6]
    assert find_links(record, re.compile(r"/3\tBoat")) == []
    assert find_links(record, re.compile("")) == links
