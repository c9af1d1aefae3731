import mimetypes

import pytest

from telusur.collection import open_collection
from telusur.crawl.rules.scope import SKIPPED_EXTENSIONS
from telusur.errors import UsageError
from telusur.reports.site_files import KINDS
from tests.sites import page, serving


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
    with pytest.raises(UsageError, match="is not one of image, pdf"):
        next(collection.files("poem"))


def test_links_that_are_skipped_are_found_by_kind_and_by_media_type(tmp_path):
    links = ["/b.mpeg", "/c.mpg", "/a.wav", "/d.mp3", "/e.png"]
    with serving({"/": page("Home", links=links)}) as site, open_collection(tmp_path / "c") as c:
        c.crawl([site.url()], allow_private=True, delay=0, index=False)
        found = {
            kind: [file.url.removeprefix(site.origin) for file in c.files(kind)]
            for kind in ("video", "video/mpeg", "audio/wav", "audio/x-wav", "audio/", "text/html")
        }
    assert found == {
        "video": ["/b.mpeg", "/c.mpg"],
        "video/mpeg": ["/b.mpeg", "/c.mpg"],
        "audio/wav": ["/a.wav"],
        "audio/x-wav": ["/a.wav"],
        "audio/": ["/a.wav", "/d.mp3"],
        "text/html": ["/"],
    }


def test_only_the_end_of_a_path_tells_what_a_link_leads_to(tmp_path):
    links = [
        "/A.PDF",
        "/b.pdf?x=1.png",
        "/c.pdf/d",
        "/e?f.pdf",
        "/g.pdf.html",
        "/h.pdfx",
        "/i.1.pdf",
    ]
    with serving({"/": page("a.pdf", links=links)}) as site, open_collection(tmp_path / "c") as c:
        c.crawl([site.url()], allow_private=True, delay=0, index=False)
        found = [file.url.removeprefix(site.origin) for file in c.files("pdf")]
    assert found == ["/A.PDF", "/b.pdf?x=1.png", "/i.1.pdf"]


def test_no_skipped_ending_of_sound_or_pictures_is_missing_from_the_kinds():
    known = mimetypes.MimeTypes()
    for ending in SKIPPED_EXTENSIONS:
        kind = (known.guess_type(f"a.{ending}", strict=False)[0] or "").partition("/")[0]
        if kind in ("audio", "video", "image"):
            assert any(ending in KINDS[name][1] for name in ("audio", "video", "image")), ending
