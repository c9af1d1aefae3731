"""The main image of a page: what it names, else the first large one of its content."""

import pytest

import telusur

URL = "https://a.example/news/story.html"
SMALL = '<img src="/logo.png" width="40" height="40">'
TEXT = f"<p>{'A sentence about a lighthouse. ' * 20}</p>"


def image_of(body: str = "", head: str = "", **more: str) -> str:
    html = f"<html><head><title>T</title>{head}</head><body>{body}{TEXT}</body></html>"
    return telusur.extract(html, URL, **more).image


def ld(value: str) -> str:
    return f'<script type="application/ld+json">{{"@type": "Article", "image": {value}}}</script>'


@pytest.mark.parametrize(
    "name",
    ['property="og:image"', 'name="og:image"', 'name="twitter:image"', 'itemprop="image"',
     'property="og:image:secure_url"'],
)  # fmt: skip
def test_what_a_page_names_for_previews_is_its_image(name):
    head = f'<meta {name} content="../pictures/a b.jpg">'
    assert image_of(head=head) == "https://a.example/pictures/a%20b.jpg"


@pytest.mark.parametrize(
    "value",
    ['"/x.jpg"', '["/x.jpg", "/y.jpg"]', '{"@type": "ImageObject", "url": "/x.jpg"}',
     '[{"contentUrl": "/x.jpg"}]', '{"@id": "https://a.example/x.jpg"}'],
)  # fmt: skip
def test_json_ld_names_it_in_many_ways(value):
    assert image_of(head=ld(value)) == "https://a.example/x.jpg"


@pytest.mark.parametrize(
    "value", ["null", "[]", "{}", "7", "[[]]", '{"url": {"url": 1}}', '"data:,"']
)
def test_what_is_no_address_is_no_image(value):
    assert image_of(head=ld(value)) == ""
    assert image_of(head='<meta property="og:image" content="javascript:alert(1)">') == ""


def test_a_reference_within_json_ld_is_followed():
    script = '[{"@type": "Article", "image": {"@id": "#i"}}, {"@id": "#i", "url": "/x.jpg"}]'
    head = f'<script type="application/ld+json">{script}</script>'
    assert image_of(head=head) == "https://a.example/x.jpg"


def test_meta_elements_come_before_json_ld_and_json_ld_before_the_content():
    meta, body = '<meta property="og:image" content="/1.jpg">', '<img src="/3.jpg" width="900">'
    assert image_of(body, meta + ld('"/2.jpg"')) == "https://a.example/1.jpg"
    assert image_of(body, ld('"/2.jpg"')) == "https://a.example/2.jpg"
    assert image_of(body) == "https://a.example/3.jpg"


@pytest.mark.parametrize(
    "body",
    [
        f'{SMALL}<img src="/x.jpg" width="640" height="480">',
        f'{SMALL}<img src="/x.jpg" width="640px">',
        '<header><img src="/banner.jpg" width="900"></header><img src="/x.jpg" width="300">',
        '<img src="/unknown.jpg"><article><img src="/x.jpg"></article>',
        '<figure><img src="data:image/gif;base64,R0" data-src="/x.jpg"></figure>',
        '<main><img width="640"><img src="/x.jpg"></main>',
    ],
)
def test_else_it_is_the_first_large_image_of_the_content(body):
    assert image_of(body) == "https://a.example/x.jpg"


def test_a_page_with_symbols_only_has_none():
    assert image_of(SMALL * 3) == ""
    assert image_of('<img src="/x.jpg" width="1x1" height="5">') == ""


def test_all_visible_text_is_taken_without_looking_for_images_in_it():
    assert image_of('<img src="/x.jpg" width="900">', content="text") == ""
    head = '<meta property="og:image" content="/x.jpg">'
    assert image_of(head=head, content="text") == "https://a.example/x.jpg"
