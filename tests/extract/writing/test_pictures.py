import re

import pytest

from telusur.extract.writing.formats import extract_content, read_content, structure_of

URL = "http://coast.example/a/"
SENTENCE = "The tide comes in twice a day and turns the wheel of the mill behind the harbour. "
TEXT = f"<p>{SENTENCE * 4}</p>"
CARDS = "".join(
    f"<li><a href=/{n}><img src=teaser{n}.jpg alt=t><h4>Another headline {n}</h4></a>"
    for n in range(8)
)
MENU = "<ul><li><a href=/>Home</a><li><a href=/shop>Shop</a><li><a href=/news>News</a></ul>"


def page(inside: str, before: str = "", after: str = "") -> str:
    return (
        f"<html lang=en><title>The tide mill</title><body>{before}<main><article>"
        f"<h1>The tide mill</h1>{TEXT}{inside}{TEXT}{TEXT}</article></main>{after}</html>"
    )


def images_of(html: str) -> list[str]:
    xml = extract_content(html, URL, format="xml")
    return re.findall(r'<img src="http://coast.example/a/([^"]*)"', xml)


@pytest.mark.parametrize(
    "image",
    [
        "<img src=mill.jpg>", "<p><img src=mill.jpg alt=x></p>", "<div><div><img src=mill.jpg>",
        "<figure><a href=/big><img src=mill.jpg></a><figcaption>The mill</figcaption></figure>",
        "<div class=wp-caption><img src=mill.jpg><p class=wp-caption-text>The mill</p></div>",
        "<img data-src=mill.jpg src=data:,x>",
    ],
)  # fmt: skip
def test_images_between_paragraphs_belong_to_the_article(image):
    assert images_of(page(image)) == ["mill.jpg"]


@pytest.mark.parametrize(
    "parts",
    [
        {"inside": "<img src=a class=avatar><img src=b width=1><img src=c class=icon>"},
        {"inside": f"<aside><h3>More stories</h3><ul>{CARDS}</ul></aside>"},
        {"before": f"<div><img src=brand.png></div>{MENU}"},
        {"before": f"<nav><img src=brand.png>{MENU}</nav>"},
        {"after": f"<footer><img src=seal.png> Imprint</footer><ul>{CARDS}</ul>"},
    ],
)  # fmt: skip
def test_logos_and_teasers_do_not(parts):
    assert images_of(page(**({"inside": ""} | parts))) == []


def test_a_caption_comes_with_its_image_but_not_into_the_text():
    figure = "<figure><img src=mill.jpg alt=m><figcaption>Seen from the pier</figcaption></figure>"
    reading = read_content(page(figure), URL)
    leaves = {leaf.text: leaf.kind for leaf in structure_of(reading).leaves()}
    assert leaves["Seen from the pier"] == "figcaption"


def test_an_image_stands_there_once():
    assert images_of(page("<img src=a.jpg><p><img src=a.jpg></p><img src=b.jpg>")) == [
        "a.jpg",
        "b.jpg",
    ]


def test_html_links_to_images_and_loads_none():
    found = extract_content(page("<p><img src='a%20mill.jpg'></p>"), URL, format="html")
    assert "<img" not in found
    assert '<a href="http://coast.example/a/a%20mill.jpg">a mill.jpg</a>' in found


def test_a_deep_page_with_many_images_ends():
    deep = "<div><img src=a.jpg>" * 3000
    assert "<xml" not in extract_content(page(deep), URL, format="xml")
