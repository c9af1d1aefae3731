"""Detects soft 404s: pages that say "not found" with a status of success."""

import re

from telusur.models import Document

# An error page is short; a longer page has content.
LONGEST_TEXT = 600

_SENTENCES = (
    "page not found", "not found", "file not found", "no such page", "nothing found here",
    "page does not exist", "page doesn't exist", "page cannot be found", "page can't be found",
    "seite nicht gefunden", "seite wurde nicht gefunden", "page introuvable", "page non trouvée",
    "página no encontrada", "página não encontrada", "pagina non trovata",
    "pagina niet gevonden", "sidan hittades inte", "siden blev ikke fundet", "sivua ei löytynyt",
    "strona nie została znaleziona", "nie znaleziono strony", "stránka nenalezena",
    "страница не найдена", "сторінку не знайдено", "halaman tidak ditemukan",
    "sayfa bulunamadı", "không tìm thấy trang", "ページが見つかりません", "页面不存在",
    "找不到页面", "페이지를 찾을 수 없습니다", "الصفحة غير موجودة",
)  # fmt: skip
# The sentence is the whole title, except for a number, punctuation, and the site name.
_TITLE = re.compile(
    r"(?:(?:http |error |fehler )*404[\s:.,!|\u2013\u2014-]*)?"
    rf"(?:{'|'.join(map(re.escape, _SENTENCES))})"
    r"[\s.!?()]*(?:\(?404\)?)?\s*(?:[|:\u2013\u2014-].*)?"
    r"|(?:http |error |fehler )*404(?: error)?\s*(?:[|:\u2013\u2014-].*)?"
)


def is_soft_404(document: Document) -> bool:
    """Tell whether a page is an error message: its title says so, and it says little else."""
    if len(document.text) > LONGEST_TEXT:
        return False
    return _TITLE.fullmatch(" ".join(document.title.lower().split())) is not None
