"""The stored copy with its own layout, from a collection that kept the bytes."""

from telusur.models import Page
from telusur.web.page.originals import write_original
from telusur.web.page.outlines import BlockOutline, OutlineGroup, outline_labels
from telusur.web.paperdoll.doll import PaperDoll

URL = "https://e.example/tea"
HTML = """<!doctype html><html lang=en><head><title>Green tea</title>
<link rel=stylesheet href=/look.css><style>h1{color:green;background:url(/x.png)}</style></head>
<body class=home><h1>Green tea</h1><p>All about green <b>te</b>a, and what it takes to brew it.</p>
<img src=/leaf.gif alt=leaf><img src=/fake.gif alt=fake><script>harm()</script></body></html>"""
GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"


FILES = {
    "https://e.example/look.css": ("text/css", b"p{margin:1px}@import 'x';"),
    "https://e.example/leaf.gif": ("image/gif", GIF),
    "https://e.example/fake.gif": ("image/gif", b"<svg onload=harm()>"),
}


class Archive(PaperDoll):
    """A collection that kept one page, a sheet and two files that say they are pictures."""

    def __init__(self, html=HTML):
        super().__init__([{"url": URL, "title": "Green tea", "text": "green tea"}], [])
        self._html = html

    def html(self, url):
        return (self._html, "text/html") if url == URL else None

    def page(self, url):
        kind, body = FILES.get(url, ("", b""))
        return Page(url, 200, headers=(("Content-Type", kind),), body=body) if kind else None


def test_a_copy_has_the_layout_of_the_page_and_marked_words():
    written = write_original(Archive(), URL, "tea")
    assert written.startswith('<!doctype html>\n<html lang="en"><head>')
    assert "<h1>Green <mark>tea</mark></h1>" in written
    assert "<b><mark>te</mark></b><mark>a</mark>" in written
    assert "<style>h1{color:green;background:none}</style>" in written
    assert "<style>p{margin:1px}</style>" in written
    assert '<img alt="leaf" src="data:image/gif;base64,R0lGODlhAQABAAAAADs=">' in written
    assert '<img alt="fake">' in written
    assert "harm" not in written
    assert "telusur-legend" not in written


def test_pages_without_a_doctype_stay_without():
    assert write_original(Archive("<p>old tea"), URL).startswith("<html>")


def test_without_bytes_there_is_none():
    assert write_original(Archive(), "https://e.example/other") is None


def test_blocks_are_drawn_with_a_legend():
    written = write_original(Archive(), URL, outline=outline_labels(["title", "content"]))
    assert '<h1 data-block="0" data-label="title">' in written
    assert 'id="telusur-content" checked' in written
    assert "content <b>1</b>" in written


def test_blocks_are_drawn_in_any_groups():
    groups = [
        OutlineGroup("c1", "1 <title>", "#123456", badge="1"),
        OutlineGroup("c2", "2 other", "#654321", is_on=False),
    ]
    written = write_original(Archive(), URL, outline=BlockOutline(["c1", "c2"], groups, "Clusters"))
    assert '<h1 data-block="0" data-label="c1">' in written
    assert "content:'1'!important" in written
    assert "#654321" in written
    assert '<input type="checkbox" id="telusur-c2"><i class="c2"></i>2 other <b>1</b>' in written
    assert "1 &lt;title&gt; <b>1</b>" in written
    assert 'aria-label="Clusters"' in written


def test_the_frame_of_an_original_is_locked(show):
    running = show(Archive())
    within = running.get(f"/copy/content?view=original&q=tea&url={URL}")
    policy = within.headers["content-security-policy"]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in policy
    assert "sandbox allow-popups" in policy
    assert "script" not in policy
    around = running.get(f"/copy?view=original&q=tea&url={URL}")
    assert (
        "/copy/content?url=https%3A%2F%2Fe.example%2Ftea&amp;q=tea&amp;view=original" in around.text
    )
    assert '<a href="/copy?url=https%3A%2F%2Fe.example%2Ftea&amp;q=tea"' in around.text
    assert 'aria-current="page">Original</a>' in around.text


def test_a_document_without_bytes_shows_its_text(workbench):
    url = "https://lexikon.example/de/artikel/Gezeitenuhr"
    assert workbench.get(f"/copy/content?view=original&url={url}").status == 200
    assert workbench.get(f"/copy/content?view=blocks&url={url}").status == 200
    assert workbench.get(f"/copy?view=other&url={url}").status == 400
