"""Tricks that hide a text, without a browser: the table in tricks.txt."""

import pytest

from telusur import extract
from tests.extract.style.tricks import IMPORTED, Trick, read_tricks

TRICKS = read_tricks()
SITE = "http://coast.example"


@pytest.mark.parametrize("content", ["text", "article"])
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.title)
def test_what_is_seen_stays_and_what_is_not_vanishes(trick: Trick, content: str):
    sheets = {f"{SITE}/{name}": text for name, text in IMPORTED.items()}
    sheets[f"{SITE}/own.css"] = trick.css
    page = trick.page("/own.css")
    text = extract(page, f"{SITE}/", content=content, style_sheets=sheets).text
    assert "GONE" not in text
    assert text.count("SEEN") == page.count("SEEN")


def test_there_are_enough_cases_and_each_shows_both():
    assert len(TRICKS) >= 60
    assert all("SEEN" in trick.body for trick in TRICKS)


@pytest.mark.parametrize(
    "trick", [t for t in TRICKS if "outside:" not in t.title and "mport" not in t.title]
)
def test_the_same_tricks_in_the_page_itself(trick: Trick):
    page = trick.page("").replace('<link rel="stylesheet" href="">', f"<style>{trick.css}</style>")
    text = extract(page, f"{SITE}/", content="text").text
    assert "GONE" not in text
    assert text.count("SEEN") == page.count("SEEN")


def test_a_story_that_waits_for_its_fonts_is_visible():
    story = "<p>The harbour opens at six, and the boats wait outside for the light.</p>" * 9
    css = ":root:not(.fonts-loaded) p { visibility: hidden } .menu { display: none }"
    page = f"<style>{css}</style>{story}<div class=menu>{'Menu entry. ' * 90}</div>"
    assert extract(page, f"{SITE}/").text.count("harbour") == 9


def test_scripts_are_no_text_that_colours_could_hide():
    story = "The harbour opens at six, and the boats wait outside for the light. " * 9
    css = "#page { color: #0c0c0c } body { background: #0c0c0c }"
    script = f"<script>{'x = 1;' * 900}</script>"
    page = f"<style>{css}</style>{script}<body><div id=page>{story}</div>"
    assert "harbour" in extract(page, f"{SITE}/").text
