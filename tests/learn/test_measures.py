"""Figures worked out by hand: pages small enough to count their words."""

import pytest

from telusur.learn.measures import (
    ExtractorAnswer,
    Overlap,
    names_of,
    normalize,
    normalize_fact,
    runs_of,
    score_page,
    summarize,
    summarize_by_type,
)
from telusur.learn.pages.dataset import LabelledPage


def truth(page_type="", text=None, **facts):
    return LabelledPage("1", "", page_type=page_type, text=text, **facts)


def score(true_text, said_text):
    return score_page(truth(text=true_text), ExtractorAnswer(said_text))


def fact(name, true, said):
    return getattr(score_page(truth(**{name: true}), ExtractorAnswer(**{name: said})), name)


# Text


def test_words_count_with_repetition_whatever_their_case():
    words = score("The sea the sea", "THE sea, and the boat").words
    assert words == Overlap(3 / 5, 3 / 4)
    assert words.f1 == pytest.approx(2 / 3)


def test_runs_see_the_order_of_words_and_bags_do_not():
    shuffled = score("one two three four five", "five four three two one")
    assert shuffled.words == Overlap(1, 1)
    assert shuffled.runs == Overlap(0, 0)
    assert score("one two three four five", "two three four five six").runs == Overlap(1 / 2, 1 / 2)


def test_a_short_text_is_one_run():
    assert list(runs_of(["low", "tide"])) == [("low", "tide")]
    assert list(runs_of(["a", "b", "c", "d"])) == [("a", "b", "c", "d")]
    assert list(runs_of([])) == []
    assert score("Low tide.", "low tide").runs == Overlap(1, 1)
    assert score("Low tide.", "tide low").runs == Overlap(0, 0)


def test_words_of_every_script_count():
    assert score("潮が 引く été", "潮が été").words == Overlap(1, 2 / 3)


def test_silence_has_no_precision_and_counts_in_recall_and_f1():
    silent = score("one two three four", " \n")
    assert silent.words == Overlap(None, 0)
    figures = summarize([silent, score("one two three four", "one two three four")])
    assert figures.words == Overlap(1, 1 / 2)
    assert figures.words_f1 == 1 / 2
    assert figures.runs_f1 == 1 / 2


def test_f1_of_the_means_is_not_the_mean_of_the_f1():
    figures = summarize([score("a b c d", "a b c d e f g h"), score("a b c d e f g h", "a b c d")])
    assert figures.runs == Overlap((1 / 5 + 1) / 2, (1 + 1 / 5) / 2)
    assert figures.runs.f1 == pytest.approx(0.6)
    assert figures.runs_f1 == pytest.approx(1 / 3)


@pytest.mark.parametrize("unknown", [None, "", " --- "])
def test_pages_without_true_text_are_counted_apart(unknown):
    page = truth(text=unknown, title="Tide", wanted=["x"], unwanted=["y"])
    figures = summarize([score_page(page, ExtractorAnswer("x y", title="Tide"))])
    assert (figures.pages, figures.without_text) == (1, 1)
    assert (figures.words, figures.words_f1, figures.runs) == (None, None, None)
    assert (figures.wanted, figures.unwanted) == (None, None)
    assert figures.title == 1


# Snippets


def test_snippets_are_found_whatever_their_quotes_and_spaces():
    page = truth(
        text="It’s low tide",
        wanted=["It's  low", "high tide"],
        unwanted=["Cookies", "LOW tide", "Share"],
    )
    score = score_page(page, ExtractorAnswer("It’s low\ntide today"))
    assert (score.wanted, score.unwanted) == ((1, 2), (2, 3))


def test_rates_are_of_all_snippets_together():
    pages = [
        score_page(truth(text="a", wanted=["a"]), ExtractorAnswer("a")),
        score_page(truth(text="a", wanted=["a", "b", "c"]), ExtractorAnswer("z")),
    ]
    assert summarize(pages).wanted == 1 / 4
    assert summarize(pages).unwanted is None


# Facts


@pytest.mark.parametrize(
    ("true", "said", "is_right"),
    [
        ("The “Tide” – today", 'the "tide" -  today', True),
        ("Tide!", "»Tide«", True),
        ("ﬁsh", "fish", True),
        ("Tide", "Tide | Coast News", False),
        ("Tide", None, False),
        (None, "Tide", None),
    ],
)
def test_titles_are_compared_as_readers_do(true, said, is_right):
    assert fact("title", true, said) is is_right


@pytest.mark.parametrize(
    ("true", "said", "is_right"),
    [
        ("Ana Roe and Ben Low", "Ben Low; Ana Roe", True),
        ("Ana Roe", "By Ana Roe", True),
        ("Ana Roe & Ben Low", "Ana Roe", False),
        ("Andy Sandor", "andy sandor", True),
        ("Ana Roe", "", False),
        ("", "Ana Roe", None),
    ],
)
def test_authors_are_sets_of_names(true, said, is_right):
    assert fact("author", true, said) is is_right


@pytest.mark.parametrize(
    ("true", "said", "is_right"),
    [
        ("2025-09-04", "2025-09-04T10:00:00Z", True),
        ("2025-09", "2025-09-17", True),
        ("2025-09-04", "2025-09", False),
        ("2025-09-04", "2025-09-05", False),
        ("2025-09-04", None, False),
        (None, "2025-09-04", None),
    ],
)
def test_dates_are_compared_as_far_as_the_truth_goes(true, said, is_right):
    assert fact("date", true, said) is is_right


def test_normal_forms():
    assert normalize(" A\u00a0 B\n‘c’ ") == "a b 'c'"
    assert normalize_fact(" «Tide!» ") == "tide"
    assert normalize_fact("???") == "???"
    assert names_of("Written by: Ana, Ben/Cy") == {"ana", "ben", "cy"}


# Page types


def test_figures_are_grouped_by_page_type_after_those_of_all():
    pages = [
        score_page(truth("forum", "a"), ExtractorAnswer("b")),
        score_page(truth("article", "a"), ExtractorAnswer("a")),
        score_page(truth("article", "a"), ExtractorAnswer("a")),
    ]
    figures = summarize_by_type(pages)
    assert list(figures) == ["all", "article", "forum"]
    assert [one.pages for one in figures.values()] == [3, 2, 1]
    assert [one.words_f1 for one in figures.values()] == [2 / 3, 1, 0]


def test_no_pages_have_no_figures():
    figures = summarize([])
    assert figures.pages == 0
    assert figures.words_f1 is figures.title is None
