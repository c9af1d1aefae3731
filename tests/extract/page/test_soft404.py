import pytest

from telusur.extract.page.soft404 import LONGEST_TEXT, is_soft_404
from telusur.models import Document


@pytest.mark.parametrize(
    "title",
    ["Page not found", "404", "Error 404", "404 - Not Found", "Page not found | The Shop",
     "404: Page Not Found - Example", "Seite nicht gefunden", "Halaman tidak ditemukan",
     "Sayfa bulunamad\u0131", "404 Error"],
)  # fmt: skip
def test_error_pages_are_recognised_by_their_title(title):
    assert is_soft_404(Document(title=title, text="Sorry."))


@pytest.mark.parametrize(
    "title",
    ["", "Lost and found", "How to make a good 404 page", "The page not found in any book",
     "404 Lighthouse Road", "Peugeot 404"],
)  # fmt: skip
def test_other_titles_are_not(title):
    assert not is_soft_404(Document(title=title, text="Sorry."))


def test_a_long_text_is_about_something():
    assert not is_soft_404(Document(title="Not found", text="x" * (LONGEST_TEXT + 1)))
