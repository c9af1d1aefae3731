import pytest

from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.learn.pages.label_sheets import read_sheet, write_sheet
from telusur.learn.pages.sources import read_labelled
from telusur.learn.pages.truth import block_truth

HTML = (
    "<nav><a href=/>Home</a></nav><h1>Ferries</h1><p>The first ferry<br>leaves at \\ seven.</p>"
    "<p># not a remark</p><p>Ada</p>"
)


@pytest.fixture
def sheet(tmp_path):
    document = extract_document(HTML, "http://a.example/ferries")
    return write_sheet(HTML, document, tmp_path / "sheets", "ferries")


def relabel(sheet, *labels):
    first, *rows = sheet.read_text().splitlines()
    rows = [f"{label} {row.split(None, 1)[1]}" for label, row in zip(labels, rows, strict=True)]
    sheet.write_text("\n".join([first, "", *rows]))


def test_what_a_person_says_is_the_truth(sheet):
    relabel(sheet, "other", "title", "content", "Content", "author")
    (page,) = read_labelled(sheet.parent)
    assert (page.id, page.site, page.title, page.author) == (
        "ferries", "a.example", "Ferries", "Ada",
    )  # fmt: skip
    assert page.text == "The first ferry\nleaves at \\ seven.\n# not a remark"
    blocks = extract_document(page.html, page.url).blocks
    assert block_truth(blocks, page).labels == ["other", "title", "content", "content", "author"]
    assert list(read_labelled(sheet)) == [page]


def test_a_sheet_is_never_written_over(sheet):
    with pytest.raises(UsageError, match="exists"):
        write_sheet(HTML, extract_document(HTML), sheet.parent, "ferries")


def test_a_wrong_label_is_named_with_its_row(sheet):
    relabel(sheet, "other", "titel", "content", "content", "author")
    with pytest.raises(UsageError, match="row 4: 'titel' is not a label"):
        read_sheet(sheet)


def test_rows_may_not_be_removed(sheet):
    sheet.write_text("\n".join(sheet.read_text().splitlines()[:-1]))
    with pytest.raises(UsageError, match="4 rows, but its page has 5 blocks"):
        read_sheet(sheet)


def test_a_sheet_without_its_page_is_named(sheet):
    sheet.with_suffix(".html").unlink()
    with pytest.raises(UsageError, match=r"ferries\.html"):
        read_sheet(sheet)
