import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"


def test_the_examples_of_the_page_on_languages_are_true():
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted >= 5
    assert results.failed == 0
