from datetime import date

import pytest

from telusur.extract.facts.metadata import read_metadata
from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.page.dom import TagIndex, parse_html

ARTICLE = '<meta property="og:type" content="article"><title>Fog signals</title>'
STATED = (
    '<script type="application/ld+json">{"@type":"Article","datePublished":"2024-05-17",'
    '"dateModified":"2024-06-01"}</script>'
)


def day(
    html: str,
    url: str = "http://coast.example/news/fog",
    today: date = date(2025, 1, 1),
    with_markup: bool = True,
) -> str | None:
    tree = parse_html(html)
    tags = TagIndex(tree)
    return read_metadata(tree, tags, url, url, today=today, with_markup=with_markup).date


@pytest.mark.parametrize(
    "line",
    [
        "<p>Published May 17, 2024</p>",
        "<p>By Ada | 17 Mei 2024</p>",
        "<p>Updated on 1 June 2024</p><p>Published 17 May 2024</p>",
        "<p>Published 17 May 2024, updated 1 June 2024</p>",
        "<span>Joined: 3 March 2019</span><time>17 May 2024</time>",
        "<p>5/17/24</p>",
        "<div>2024年5月17日</div>",
    ],
)
def test_days_beside_the_headline(line):
    assert day(f"{ARTICLE}<h1>Fog signals</h1>{line}<p>It was night.</p>") == "2024-05-17"
    assert day(f"{ARTICLE}{line}<h1>Fog signals</h1><p>It was night.</p>") == "2024-05-17"


def test_the_day_shown_counts_more_than_the_day_stated():
    assert day(f"{STATED}<h1>Fog</h1><p>18 May 2024</p>") == "2024-05-18"
    assert day(f"{STATED}<h1>Fog</h1><p>18 May 2024</p>", with_markup=False) == "2024-05-17"


def test_a_stated_day_that_is_shown_too_is_believed():
    assert day(f"{STATED}<h1>Fog</h1><p>3 June 2024</p><p>17 May 2024</p>") == "2024-05-17"
    swapped = STATED.replace("2024-05-17", "2024-09-10")
    assert day(f"{swapped}<h1>Fog</h1><p>09.10.2024</p>") == "2024-09-10"


def test_the_last_post_of_a_thread_is_not_its_first():
    html = "<h1>Fog</h1><p>Last post: 3 June 2024</p><p>bell7</p><p>2 June 2024</p>"
    assert day(STATED + html, "http://coast.example/threads/fog.1/") == "2024-05-17"
    assert day(html, "http://coast.example/threads/fog.1/") == "2024-06-02"


def test_what_an_element_states_for_machines():
    html = f"{ARTICLE}<h1>Fog signals</h1><p><time datetime=2024-05-17T10:00>yesterday</time></p>"
    assert day(html) == "2024-05-17"


def test_the_day_of_a_change_does_not():
    assert day(f"{STATED}<h1>Fog</h1><p>Last updated: 3 June 2024</p>") == "2024-05-17"
    assert day(f"{STATED}<h1>Fog</h1><p>1 June 2024</p>") == "2024-05-17"


def test_the_class_of_an_element_tells_a_change():
    changed = "<time class='updated' datetime=2024-06-03>3 June 2024</time>"
    published = "<time class='entry-date published' datetime=2024-05-17>17 May 2024</time>"
    assert day(f"{ARTICLE}<h1>Fog signals</h1>{changed}{published}") == "2024-05-17"
    # Some themes give this class to their only date.
    assert day(f"{ARTICLE}<h1>Fog signals</h1>{changed}") == "2024-06-03"
    html = f"{ARTICLE}<h1>Fog signals</h1>{changed}<p>Bells in the paper of 12 June 2024</p>"
    assert day(html) == "2024-06-03"


def test_the_nearest_day_counts():
    after = "<p>Fog.</p>" * 6 + "<p>11 September 2024</p>"
    assert day(f"{ARTICLE}<p>17 May 2024</p><h1>Fog signals</h1>{after}") == "2024-05-17"


def test_an_article_among_lists_keeps_its_day():
    items = '<script type="application/ld+json">{"@type":"ItemList"}</script>'
    assert day(f"{items}{STATED}<h1>Fog</h1>") == "2024-05-17"


def test_days_in_other_statements():
    video = '{"@type":"Article","uploadDate":"2024-05-17"}'
    assert day(f'<script type="application/ld+json">{video}</script><h1>Fog</h1>') == "2024-05-17"
    assert day("<meta itemprop=uploadDate content=2024-05-17><h1>Fog</h1>") == "2024-05-17"
    written = "Mon May 17 12:45:00 EDT 2024"
    assert day(f"<meta property=article:published_time content='{written}'>") == "2024-05-17"


def test_only_the_day_of_a_change_is_better_than_none():
    assert day(f"{ARTICLE}<h1>Fog signals</h1><p>Updated 3 June 2024</p>") == "2024-06-03"


def test_the_url_is_always_right():
    url = "http://coast.example/2024/05/16/fog"
    assert day(f"{STATED}<h1>Fog</h1><p>18 May 2024</p>", url) == "2024-05-16"


def test_days_to_come_do_not_count():
    html = f"{STATED}<h1>Fog</h1><p>18 May 2024</p>"
    assert day(html, today=date(2024, 5, 17)) == "2024-05-18"  # already tomorrow somewhere
    assert day(html, today=date(2024, 5, 16)) == "2024-05-17"
    assert day(html, today=date(2024, 5, 1)) is None


@pytest.mark.parametrize(
    "meta",
    ["article:published_time", "DC.date.issued", "w-published-date", "publish_time", "pubdate"],
)
def test_days_in_meta_elements(meta):
    assert day(f'<meta name="{meta}" content="2024-05-17T23:30:00-08:00">') == "2024-05-17"


def test_pages_that_are_not_published_on_some_day():
    page = '<script type="application/ld+json">{"@type":"%s","datePublished":"2024-05-17"}</script>'
    assert day(page % "Article") == "2024-05-17"
    assert day(page % "WebPage") is None
    assert day(page % "Product") is None
    assert (
        day(
            "<h1>News</h1><article>a<time>17 May 2024</time></article><article>b",
            "http://a.example/",
        )
        is None
    )


def test_marks_anywhere():
    filler = "<p>" + "It was night and the horn sounded. " * 10 + "</p>"
    html = f"{ARTICLE}<h1>Fog signals</h1>{filler * 5}"
    review = "<div class=review><time>3 May 2024</time></div>"
    assert day(f"{html}{review}<p class=post-date>17 May 2024</p>") == "2024-05-17"
    assert day(f"{html}{review}") is None


def test_order_of_day_and_month():
    html = f"{ARTICLE}<h1>Fog signals</h1><p>3/4/2024</p>"
    assert day(html) == "2024-03-04"
    assert day(f"<html lang=en-GB>{html}") == "2024-04-03"
    assert day(html, "http://coast.co.uk/news/fog") == "2024-04-03"
    assert not is_month_first("id")
    assert is_month_first("en_US", "http://coast.co.uk/")


TEASERS = "".join(
    f"<div><h3><a href=/{number}>A bell of {number}</a></h3><p>{number} May 2024</p></div>"
    for number in range(11, 15)
)


def test_days_of_teasers_are_not_those_of_the_list():
    html = f"<title>Bells</title><h1>Bells</h1><h2>Latest</h2>{TEASERS}"
    assert day(html) is None
    assert day(html.replace("</h1>", "</h1><p>3 March 2024</p>")) == "2024-03-03"


def test_one_day_below_two_headings_is_the_pages():
    html = f"{ARTICLE}<h1>Fog signals</h1><h2>A history</h2><h3>Bells</h3><p>17 May 2024</p>"
    assert day(html) == "2024-05-17"


def test_a_day_that_is_announced_counts_wherever_it_stands():
    html = "<title>Fog</title><h1>Fog</h1>" + "<p>It was night, and the bell rang.</p>" * 60
    announced = "<div class=dateline><p>Published</p><p class=date>May 17, 2024</p></div>"
    assert day(html + announced) == "2024-05-17"
    assert day(html + announced.replace("Published", "Next meeting")) is None
    assert day(f"{html}<div class=comment>{announced}</div>") is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("The command renames tables since version 3.26 came out (2024-05-17).", None),
        ("Perintah ini mengganti nama tabel sejak versi baru keluar pada 17 Mei 2024.", None),
        ("Команда переименовывает таблицы начиная с версии, которая вышла 17.05.2024.", None),
        ("Jakarta, 17 Mei 2024 - sebuah kapal kayu karam di dekat pulau itu.", "2024-05-17"),
        (
            "Das Urteil (BGer 6B, vom 17.05.2024, drei Richter), das den ersten Fahrer frei sprach",
            None,
        ),
        ("This story was first published in the paper of our town on 17 May 2024", "2024-05-17"),
        ("By Ada Lovelace, staff writer, and the desk | 17 May 2024", "2024-05-17"),
    ],
)
def test_a_day_in_a_sentence_is_not_the_pages(line, found):
    assert day(f"<title>Fog signals</title><h1>Fog signals</h1><p>{line}</p>") == found


def test_old_pages_without_headings():
    page = "<title>Fog on the pier - Sea</title><table><tr><td><b>Fog on the pier</b></td></tr>"
    assert day(f"{page}<tr><td>17.5.2024, Ada Lind</td></tr></table>") == "2024-05-17"


def test_a_day_after_the_last_change_is_not_the_pages():
    # "dateModified" is 1 June; a meeting is announced for August.
    assert day(f"{STATED}<h1>Fog</h1><p>Meeting: 17 August 2024, 19 h</p>") == "2024-05-17"
    assert day(f"{STATED}<h1>Fog</h1><p>2 June 2024</p>") == "2024-06-02"


def test_a_stated_day_that_can_be_read_in_two_ways_is_read_as_the_page_shows_it():
    stated = "<meta name=article:published_time content=03-09-2024>"
    assert day(f"{stated}<h1>Fog</h1><p>Published March 9, 2024</p>") == "2024-03-09"
    assert day(f"{stated}<h1>Fog</h1><p>Published 3 September 2024</p>") == "2024-09-03"
    assert day(f"{stated}<h1>Fog</h1>") == "2024-09-03"


def test_of_several_stated_days_the_one_that_is_shown():
    meta = "<meta property=article:published_time content=2024-06-01>"
    assert day(f"{STATED}{meta}<h1>Fog</h1><p>1 June 2024</p>") == "2024-06-01"
    assert day(f"{STATED}{meta}<h1>Fog</h1>") == "2024-05-17"


def test_a_day_within_the_headline():
    heading = "<h1><span>17.05.2024</span> Fog signals</h1>"
    assert day(f"{ARTICLE}{heading}<p>It was night.</p>") == "2024-05-17"
    assert day(f"{ARTICLE}<h1>Fog on 17.05.2024</h1><p>It was night.</p>") is None


def test_whether_the_day_is_only_shown():
    def read(html):
        tree = parse_html(html)
        return read_metadata(tree, TagIndex(tree), "http://a.example/f", "", today=date(2025, 1, 1))

    assert read("<h1>Fog</h1><p>17 May 2024</p>").is_date_shown
    assert not read(f"{STATED}<h1>Fog</h1><p>17 May 2024</p>").is_date_shown
    assert not read(f"{STATED}<h1>Fog</h1>").is_date_shown
