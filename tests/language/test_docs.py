import doctest
import re
from pathlib import Path

from telusur import testing

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"


def run_examples():
    """Return the results of the examples of the page, and the names that they have defined."""
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    results = doctest.DocTestRunner().run(examples, clear_globs=False)
    return results, examples.globs


def test_the_examples_of_the_page_on_languages_are_true():
    results, _ = run_examples()
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_example_of_a_translator_passes_its_suite():
    _, names = run_examples()
    (code,) = re.findall(
        r"^```python\n(from telusur import testing\n.*?)^```$", PAGE.read_text(), re.M | re.S
    )
    exec(code, names)
    assert issubclass(names["TestMyTranslator"], testing.TranslatorSuite)
    assert testing.failures_of(names["TestMyTranslator"]) == {}
