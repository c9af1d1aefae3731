import pytest

from telusur.collection import open_collection
from telusur.errors import UsageError


@pytest.fixture(scope="module")
def collection(demo):
    with open_collection(demo.directory) as opened:
        yield opened


def test_files_are_found_fetched_linked_and_shown(demo, collection):
    pdf = list(collection.files("pdf"))
    assert [(each.url, each.how, each.text) for each in pdf] == [
        (demo.url("museum", "/files/leaflet.pdf"), "linked", "Leaflet")
    ]
    assert pdf[0].page == demo.url("museum", "/")
    feeds = {each.url: each for each in collection.files("feed", "news.localhost")}
    assert feeds[demo.url("news", "/feeds/local.xml")].content_type == "application/rss+xml"
    images = list(collection.files("image", "shop.localhost"))
    assert {each.how for each in images} == {"shown"}
    assert len({each.url for each in images}) == len(images) > 5
    assert images[0].text
    assert list(collection.files("image", "shop.localhost", with_shown=False)) == []


def test_a_media_type_is_a_kind_too(collection):
    assert {each.content_type for each in collection.files("application/rss+xml")} == {
        "application/rss+xml"
    }
    with pytest.raises(UsageError, match="is none of image, pdf"):
        next(collection.files("poem"))
