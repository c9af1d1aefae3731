import pytest

from telusur.extract.document import extract_document
from telusur.extract.facts.announced import find_announced_day, find_byline

LATEST = "2025-01-01"


@pytest.mark.parametrize(
    "line",
    [
        "Posted on 4 May 2024 by Ada",
        "Veröffentlicht am 4. Mai 2024",
        "Dieser Beitrag wurde am 4. Mai 2024 um 15:21 Uhr veröffentlicht.",
        "Dieser Artikel wurde am 4. Mai 2024 um 14:48 von Ada Lind",
        "Publié le 4 mai 2024 à 10h",
        "Publicado el 4 de mayo de 2024",
        "Dipublikasikan: Sabtu, 4 Mei 2024",
        "发布时间：2024年5月4日 10:12",
        "2024年5月4日 公開",
        "작성일: 2024. 5. 4.",
        "Опубликовано 4 мая 2024",
        "نشر في 4 مايو 2024",
        "Letzte Änderung: 1.1.2024 - 14:49\nErschienen am: 04.05.2024",
    ],
)
def test_a_line_that_says_when_the_page_was_published(line):
    assert find_announced_day(["Menu", line, "End"], LATEST, month_first=False) == "2024-05-04"


@pytest.mark.parametrize(
    "line",
    [
        "4 May 2024",
        "The lamp was lit on 4 May 2024",
        "Updated 4 May 2024",
        "© 2024-05-04",
        "Member since 4 May 2024",
        "Publisher: Sea Books (4 May 2024)",
        "Publication date: 4 May 2024",
        "Posted on 4 May 2031",
    ],
)
def test_other_days(line):
    assert find_announced_day([line], LATEST) is None


def test_the_label_may_stand_in_the_line_before():
    assert find_announced_day(["Published:", "4 May 2024"], LATEST) == "2024-05-04"
    assert find_announced_day(["Expires:", "4 May 2024"], LATEST) is None


def test_several_days_are_those_of_parts_unless_the_page_has_one_subject():
    lines = ["Posted on 4 May 2024", "Posted on 5 May 2024"]
    assert find_announced_day(lines, LATEST) == "2024-05-04"
    assert find_announced_day(lines, LATEST, is_one=False) is None
    assert find_announced_day([lines[0]] * 2, LATEST, is_one=False) == "2024-05-04"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Posted by Ada on 4 May"], ["Ada"]),
        (["Eingestellt von Ada Lind um 21:11"], ["Ada Lind"]),
        (["Author: Ada Lind"], ["Ada Lind"]),
        (["作者：林雅"], ["林雅"]),
        (["Автор: Ада Линд"], ["Ада Линд"]),
        (["It was night.", "Von Ada Lind"], ["Ada Lind"]),
        (["By", "Ada Lind"], ["Ada Lind"]),
        # Teasers have bylines, too.
        (["By Ada Lind", "By Bo Ek"], []),
        (["By clicking you agree"], []),
        (["Ada Lind"], []),
        (["Byron was here"], []),
    ],
)
def test_who_is_announced_anywhere(lines, expected):
    byline = find_byline(lines)
    assert (byline.names if byline else []) == expected
    assert byline is None or expected[0] in lines[byline.line]


FOG = "".join(
    f"<p>In night {n} the fog came in from the bay, and the bell on the pier rang until morning. "
    for n in range(48)
)


def test_a_page_that_names_author_and_day_at_its_end():
    page = f"<title>Fog on the pier</title><h1>Fog on the pier</h1>{FOG}"
    end = "<div>Posted by Ada Lind</div><div>Published on 4 May 2024</div>"
    found = extract_document(page + end, "http://coast.example/fog")
    assert (found.author, found.date) == ("Ada Lind", "2024-05-04")
    assert extract_document(page + end, "http://coast.example/").date is None
    wares = '<script type="application/ld+json">{"@type":"Product","name":"Fog"}</script>'
    assert extract_document(page + end + wares, "http://coast.example/fog").date is None
