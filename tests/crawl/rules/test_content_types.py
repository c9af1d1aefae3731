import pytest

from telusur.crawl.rules.content_types import ContentTypes
from telusur.errors import UsageError


def test_pages_and_plain_text_are_kept_by_default():
    types = ContentTypes()
    kept = ("text/html", "application/xhtml+xml", "text/plain", "")
    assert all(map(types.keeps, kept))
    assert not any(map(types.keeps, ("text/css", "image/png", "application/pdf")))


def test_what_is_asked_for_is_kept_and_nothing_else():
    types = ContentTypes(["Text/*", " application/pdf "])
    assert all(map(types.keeps, ("text/html", "text/csv", "application/pdf")))
    assert not any(map(types.keeps, ("", "application/xhtml+xml", "textual/html", "text")))


@pytest.mark.parametrize("asked", ["html", "*/*", "text/", "/html", "text/html; charset=utf-8", ""])
def test_what_is_no_media_type_is_told(asked):
    with pytest.raises(UsageError, match="is not a media type"):
        ContentTypes([asked])


def test_extensions_are_those_of_the_types_that_were_asked_for():
    assert ContentTypes().extensions() == frozenset()
    assert ContentTypes(["application/pdf"]).extensions() == {"pdf"}
    images = ContentTypes(["image/*"]).extensions()
    assert {"png", "jpg", "jpeg", "gif"} <= images
    assert "pdf" not in images
