import re

import pytest

from telusur.errors import CollectionError
from telusur.models import Document
from telusur.web.page.copies import write_copy
from telusur.web.page.marking import mark_markup
from telusur.web.paperdoll.doll import PaperDoll


def find(*words):
    return lambda text: [
        match.span() for match in re.finditer("|".join(words) or "(?!)", text, re.IGNORECASE)
    ]


class Archive(PaperDoll):
    """A collection that kept one page as it was."""

    def __init__(self, html):
        super().__init__([], [])
        self._html = html

    def html(self, url):
        return self._html, "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("markup", "marked"),
    [
        ("<p>black tea</p>", "<p>black <mark>tea</mark></p>"),
        ("<p>black <b>te</b>a</p>", "<p>black <b><mark>te</mark></b><mark>a</mark></p>"),
        ("<p>te</p><p>a</p>", "<p>te</p><p>a</p>"),
        ("<p>&lt;tea&gt; &amp; T</p>", "<p>&lt;<mark>tea</mark>&gt; &amp; T</p>"),
        ('<img src="http://e.example/tea.png" alt="tea">', "<mark>tea</mark>"),
        ('<a href="http://e.example/tea" title="tea">x</a>',
         '<a href="http://e.example/tea" rel="noreferrer noopener nofollow">x</a>'),
        ('<a href="javascript:tea()">x</a>', "<a>x</a>"),
        ('<p onclick="tea()" style="x">y</p>', "<p>y</p>"),
        ('<td rowspan="2" id="x">y</td>', '<td rowspan="2">y</td>'),
    ],
)  # fmt: skip
def test_words_are_marked_and_attributes_dropped(markup, marked):
    assert mark_markup(markup, find("tea")) == marked


def test_nothing_that_runs_or_loads_is_in_a_copy():
    html = (
        "<title>Tea</title><body><article><h1>Tea</h1><p>All about green tea, how it is grown, "
        "picked and dried, and what it takes to brew a cup of it.</p><script>alert(1)</script>"
        "<img src=http://e.example/x.png alt=leaf><iframe src=//e.example></iframe>"
        "<form action=/x><input></form><p onclick=alert(1)>Water should not boil, since the leaves "
        "of green tea turn bitter in it.</p><style>*{color:red}</style></article>"
    )
    written = write_copy(Archive(html), "https://e.example/tea", "tea")
    assert "<mark>tea</mark>" in written
    assert not re.search(r"<(script|img|iframe|form|input)|onclick|color:red|alert", written)


def test_a_document_without_page_shows_its_text():
    doll = PaperDoll([{"url": "https://e.example/", "title": "T", "text": "a <tea>\nb"}], [])
    written = write_copy(doll, "https://e.example/", "tea")
    assert "<p>a &lt;<mark>tea</mark>&gt;</p>\n<p>b</p>" in written
    assert write_copy(doll, "https://e.example/", "").count("<mark>") == 0
    assert write_copy(doll, "https://f.example/", "tea") is None


def test_a_damaged_archive_leaves_the_text():
    class Damaged(PaperDoll):
        def html(self, url):
            raise CollectionError("the stored page cannot be read")

    doll = Damaged([{"url": "https://e.example/", "title": "T", "text": "green tea"}], [])
    assert "<p>green <mark>tea</mark></p>" in write_copy(doll, "https://e.example/", "tea")
    with pytest.raises(CollectionError):
        write_copy(doll, "https://f.example/", "tea")


def test_the_frame_is_locked(workbench):
    url = "https://lexikon.example/de/artikel/Gezeitenuhr"
    around = workbench.get(f"/copy?q=uhr&url={url}")
    assert "fetched" in around.text
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in around.text
    assert "script-src 'self'" in around.headers["content-security-policy"]
    assert "frame-src 'self'" in around.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in around.headers["content-security-policy"]
    within = workbench.get(f"/copy/content?q=uhr&url={url}")
    policy = within.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-popups" in policy
    assert "script" not in policy
    assert "unsafe" not in policy
    assert within.headers["x-frame-options"] == "SAMEORIGIN"


def test_a_real_collection_marks_other_forms_too(tmp_path):
    import telusur

    with telusur.open(tmp_path / "c") as collection:
        text = "The keepers kept their lighthouses lit all night."
        collection.add([Document("https://e.example/", "Light", text=text, language="en")])
        written = write_copy(collection, "https://e.example/", "keeper lighthouse")
    assert "<mark>keepers</mark> kept their <mark>lighthouses</mark> lit" in written
