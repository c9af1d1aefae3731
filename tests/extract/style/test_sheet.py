import pytest

from telusur.extract.style.media import Applies, media_applies
from telusur.extract.style.selectors import read_selector, split_selectors
from telusur.extract.style.sheet import MAX_RULES, MAX_SHEET_LENGTH, parse_sheet


def selectors_of(text: str) -> list[str]:
    """Return the selectors of the telling rules, in order."""
    rules = [rule for rules in parse_sheet(text).written.values() for rule in rules]
    return [rule.selector for rule in sorted(rules)]


def test_a_sheet_keeps_what_may_hide_show_or_colour():
    text = ".a, p#b { display:none } .c .d { color:#fff } .e { border:1px solid } .f { float:none }"
    assert selectors_of(text) == [".a", "p#b", ".c .d"]


def test_rules_are_found_by_their_last_name():
    sheet = parse_sheet(".a .b, nav > ul, #i.c, *, [x] { display: none }")
    assert {key: len(rules) for key, rules in sheet.written.items()} == {
        ".b": 1, "ul": 1, "#i": 1, "*": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["}}}{{{", "a{", "/*", "@media{", "{}{}", "a{display:none", ";;;", "@import"]
)
def test_broken_sheets_have_no_rules(text):
    assert selectors_of(text) == []


def test_rules_are_bounded():
    text = "".join(f".a{number}{{display:none}}" for number in range(2 * MAX_RULES))
    assert parse_sheet(text).size == MAX_RULES


def test_a_sheet_that_never_closes_takes_no_longer_than_one_that_does():
    assert selectors_of(".a{display:none}.b{src:" + "x" * MAX_SHEET_LENGTH) == [".a"]
    assert selectors_of("x" * MAX_SHEET_LENGTH) == []


@pytest.mark.parametrize(
    "text",
    [
        "{" * 500_000, "a{" * 300_000, "a{b{" * 100_000 + "}" * 200_000, "}" * 500_000,
        "@media(" * 100_000 + "{}", "/*" * 400_000, "'" * 500_000 + "{}", "url(" * 200_000,
        ",".join(f".a{n}" for n in range(50_000)) + "{display:none}",
        "a" * 400_000 + "{display:none}", ".a{" + "&&&&{" * 20 + "display:none" + "}" * 21,
        ":not(" * 100_000 + "{display:none}", "url(" * 200_000 + "{}",
        "@import 'x';" * 50_000, ".a{display:none;" + "x:y;" * 100_000 + "}", "\\" * 300_000 + "{}",
    ],
    ids=range(16),
)  # fmt: skip
def test_hostile_sheets_are_read(text):
    assert parse_sheet(text).size <= MAX_RULES


def test_imports_come_first_or_not_at_all():
    sheet = parse_sheet(
        "@charset 'utf-8'; @import url(a.css) screen; @import 'b.css' layer(x) print;"
        ".a{display:none}"
        "@import 'c.css';"
    )
    assert [(one.reference, one.media.strip()) for one in sheet.imports] == [
        ("a.css", "screen"), ("b.css", "print"),
    ]  # fmt: skip
    assert [one.reference for one in parse_sheet("@import 'only.css';").imports] == ["only.css"]


@pytest.mark.parametrize(
    ("query", "applies"),
    [
        ("", Applies.ALWAYS),
        ("all", Applies.ALWAYS),
        ("only screen", Applies.ALWAYS),
        ("screen, print", Applies.ALWAYS),
        ("print", Applies.NEVER),
        ("not print", Applies.ALWAYS),
        ("not screen", Applies.NEVER),
        ("speech", Applies.NEVER),
        ("(min-width: 1px)", Applies.ALWAYS),
        ("screen and (min-width:768px)", Applies.SOMETIMES),
        ("(max-width: 600px)", Applies.SOMETIMES),
        ("(max-width: 10px)", Applies.NEVER),
        ("(min-width: 100000px)", Applies.NEVER),
        ("(max-width: 99999px)", Applies.ALWAYS),
        ("(prefers-color-scheme: dark)", Applies.SOMETIMES),
        ("print and (min-width: 1px)", Applies.NEVER),
        ("(400px <= width <= 700px)", Applies.SOMETIMES),
    ],
)
def test_on_how_many_screens(query, applies):
    assert media_applies(query) is applies


def test_the_more_specific_selector():
    texts = ["#a", ".a.b", ".a", "p b", "p", "*", ":where(#a)"]
    weights = [selector.specificity for text in texts if (selector := read_selector(text))]
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == len(texts)


def test_selectors_that_never_apply_by_themselves():
    assert read_selector("a:hover") is None
    assert read_selector("") is None
    assert read_selector(".a" * 400) is None
    click = read_selector("input:checked ~ p")
    assert click is not None
    assert (click.is_click, click.text) == (True, "input ~ p")
    before = read_selector("p.x::before")
    assert before is not None
    assert (before.is_pseudo_element, before.text) == (True, "p.x")


def test_commas_in_brackets_do_not_separate():
    assert split_selectors("a:is(b,c), [x=','] ,d") == ["a:is(b,c)", "[x=',']", "d"]
