import pytest
import turbohtml

from telusur.errors import UsageError
from telusur.reports.join_pages import FORMATS, join_pages
from telusur.reports.save_pages import ChosenPage

PAGES = {
    "http://coast.example/a": "<h1>A [1]</h1><p>Ebb.</p><h2>Deeper</h2><p>x</p>",
    "http://coast.example/b?x=1&y=2": "<h3>Only</h3><p>Flood.</p><script>1</script>",
}
CHOSEN = [
    ChosenPage("http://coast.example/a", "A [1]"),
    ChosenPage("http://coast.example/gone", "Gone"),
    ChosenPage("http://coast.example/b?x=1&y=2", "B"),
]


def html_of(url):
    return (PAGES[url], "text/html") if url in PAGES else None


def joined(form: str) -> str:
    return "".join(join_pages(CHOSEN, html_of, form, "coast"))


def test_markdown():
    assert joined("markdown") == (
        "# coast\n\n1. [A \\[1\\]](#page-1)\n2. [Gone](#page-2)\n3. [B](#page-3)\n"
        '\n<a id="page-1"></a>\n\n## A \\[1\\]\n\n<http://coast.example/a>\n\n'
        "Ebb.\n\n### Deeper\n\nx\n"
        '\n<a id="page-3"></a>\n\n## B\n\n<http://coast.example/b?x=1&y=2>\n\n'
        "### Only\n\nFlood.\n"
    )


def test_html_is_one_page_whose_contents_lead_to_its_chapters():
    tree = turbohtml.parse(joined("html"))
    targets = [link.attr("href") for link in tree.select("ol a")]
    assert targets == ["#page-1", "#page-2", "#page-3"]
    assert [section.attr("id") for section in tree.select("section")] == ["page-1", "page-3"]
    assert not tree.select("script")
    assert tree.select_one("#page-3 p a").attr("href") == "http://coast.example/b?x=1&y=2"


def test_text():
    text = joined("text")
    assert text.startswith("coast\n\n1. A [1]\n2. Gone\n3. B\n")
    assert "\n3. B\nhttp://coast.example/b?x=1&y=2\n\nOnly\nFlood.\n" in text


def test_formats():
    assert FORMATS == ("markdown", "html", "text")
    with pytest.raises(UsageError, match="'pdf' is not one of"):
        joined("pdf")
