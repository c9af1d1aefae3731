import pytest

from telusur.crawl.urls.link_record import pack_links, unpack_links
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
