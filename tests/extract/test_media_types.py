import pytest

from telusur.extract.media_types import is_file, is_plain


@pytest.mark.parametrize(
    ("media_type", "how"),
    [
        ("text/html", "page"), ("application/xhtml+xml", "page"), ("", "page"),
        ("text/xml", "page"), ("application/xml", "page"), ("application/rss+xml", "page"),
        ("text/plain", "text"), ("text/markdown", "text"), ("application/json", "text"),
        ("application/ld+json", "text"),
        ("application/pdf", "file"), ("image/png", "file"), ("image/svg+xml", "file"),
        ("application/zip", "file"), ("video/mp4", "file"),
    ],
)  # fmt: skip
def test_each_type_is_read_in_one_way(media_type, how):
    assert (is_plain(media_type), is_file(media_type)) == (how == "text", how == "file")
