import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.analysis import terms
from telusur.language.token_table import hash_term, pack_tokens
from telusur.models import Document
from telusur.search.query.lexicon import NO_LEXICON
from telusur.search.query.reader import read_query
from telusur.search.show import snippet
from telusur.search.show.marks import SoughtWord
from telusur.search.show.shown import words_to_show
from telusur.search.show.snippet import SNIPPET_CHARACTERS, make_snippet

FILLER = "Nothing of interest stands in this sentence. " * 20


def cut(text, query, language="en", fallback="", words=None):
    read = read_query(query, (language,))
    words = words_to_show(read.query, read.languages, NO_LEXICON, words)
    return make_snippet(text, pack_tokens(text, language), words, language, fallback)


def marked(text, query, language="en", words=None):
    snippet, marks = cut(text, query, language, words=words)
    return [snippet[start:end] for start, end in marks]


def test_the_window_with_the_most_words_wins():
    text = f"A cat. {FILLER} A cat chased by dogs in gardens. {FILLER} Dogs."
    snippet, marks = cut(text, "cat dog garden")
    assert snippet.startswith("A cat chased by dogs in gardens.")
    assert [snippet[start:end] for start, end in marks] == ["cat", "dogs", "gardens"]


def test_of_windows_with_the_same_words_the_shortest_wins():
    text = f"The cat saw, a long way off, the dog. {FILLER} Cat and dog. {FILLER}"
    assert cut(text, "cat dog")[0].startswith("Cat and dog.")


def test_a_rare_word_is_worth_more_than_common_ones(view_of):
    text = f"Cats and dogs. {FILLER} An axolotl. {FILLER}"
    others = [Document(text="Cats and dogs.", language="en")] * 200
    words = view_of(*others, Document(text=text, language="en"))
    assert cut(text, "cats dogs axolotl", words=words)[0].startswith("An axolotl.")


def test_every_form_of_a_word_is_marked_and_only_whole_words():
    assert marked("Running runners run; the runway and prerun do not.", "runs") == [
        "Running",
        "run",
    ]


def test_a_phrase_is_marked_as_one_where_it_is_written_so():
    text = "Black cats are no black cat. A cat, a black dog, BLACK CAT!"
    assert marked(text, '"black cat"') == ["black cat", "BLACK CAT"]


def test_words_of_a_phrase_that_is_elsewhere_are_marked_alone():
    assert marked("A cat of the black kind.", '"the black cat"') == ["cat", "black"]


def test_small_words_are_not_marked_unless_there_is_nothing_else():
    assert marked("The state of things", "the state of") == ["state"]
    assert marked("To be, or not.", "to be") == ["To", "be"]


@pytest.mark.parametrize(
    ("text", "query", "language", "expected"),
    [
        ("Running runners ran on runways.", "runn*", "en", ["Running", "runners"]),
        ("My favourite color, and COLOURS.", "colour~1", "en", ["color", "COLOURS"]),
        ("Serach for it", "search~", "en", ["Serach"]),
        ("日本語の検索", "検*", "ja", []),
        ("日本語の検索", "検索*", "ja", ["検索"]),
    ],
)
def test_prefixes_and_near_misses_are_marked(view_of, text, query, language, expected):
    words = view_of(Document(text=text, language=language))
    assert marked(text, query, language, words) == expected


def test_what_must_not_be_there_is_not_marked():
    assert marked("Cats and dogs", "cats -dogs") == ["Cats"]


def test_a_snippet_begins_and_ends_with_whole_words_and_has_a_readable_length():
    text = f"{'lorem ipsum dolor ' * 40}needle {'sit amet consetetur ' * 40}"
    snippet, _ = cut(text, "needle")
    inside = snippet.removeprefix("… ").removesuffix(" …")
    assert snippet == f"… {inside} …"
    assert f" {inside} " in text
    assert SNIPPET_CHARACTERS * 0.6 < len(inside) <= SNIPPET_CHARACTERS + 4


def test_pairs_of_characters_are_marked_as_one():
    assert marked("日本語の検索エンジンを作る。", "検索エンジン", "ja") == ["検索エンジン"]
    assert marked("한국어 검색엔진입니다", "검색엔진", "ko") == ["검색엔진"]


def test_sentences_of_scripts_without_spaces_are_whole():
    text = "これは文です。" * 60 + "猫犬がいる。" + "これは文です。" * 60
    snippet, marks = cut(text, "猫犬", "ja")
    assert snippet.startswith("猫犬がいる。")
    assert snippet.endswith("。")
    assert marks == ((0, 2),)


def test_text_from_right_to_left():
    text = "جملة أخرى. " * 40 + "الكتاب الأسود هنا. " + "جملة أخرى. " * 40
    snippet, marks = cut(text, "كتاب", "ar")
    assert snippet.startswith("الكتاب الأسود هنا.")
    assert [snippet[start:end] for start, end in marks] == ["الكتاب"]
    assert marked("חתול שחור", "חתול", "he") == ["חתול"]


def test_spaces_and_line_ends_become_one_space():
    snippet, marks = cut("A \t red   cat \n sat", "cat")
    assert snippet == "A red cat sat"
    assert [snippet[start:end] for start, end in marks] == ["cat"]
    assert marked("a black \n\n cat", '"black cat"') == ["black cat"]


def test_without_a_match_the_description_is_shown_then_the_beginning():
    assert cut("Some text.", "cat", fallback="About cats.") == ("About cats.", ((6, 10),))
    assert cut("Some text.", "cat") == ("Some text.", ())
    assert cut("", "cat") == ("", ())
    assert len(cut(FILLER, "")[0]) <= SNIPPET_CHARACTERS + 2


def test_the_lower_case_of_the_language_is_used():
    assert marked("İSTANBUL'da IŞIK", "istanbul ışık", "tr") == ["İSTANBUL", "IŞIK"]


def test_markup_in_a_text_stays_text():
    assert marked("<b>cat</b> &amp; <script>cat</script>", "cat") == ["cat", "cat"]


@pytest.mark.parametrize("text", ["cat " * 100_000, "猫犬" * 100_000, "cat" * 100_000, "\n" * 99])
def test_an_endless_text_has_a_short_snippet(text):
    snippet, _ = cut(text, "cat 猫犬 ca*", "ja")
    assert len(snippet) <= SNIPPET_CHARACTERS + 10


def test_a_table_that_is_none_marks_nothing():
    words = (SoughtWord(((hash_term("cat"),),)),)
    assert make_snippet("A cat.", "", words, "en") == ("A cat.", ())
    assert make_snippet("A cat.", "12345", words, "en") == ("A cat.", ())


@given(
    st.text(alphabet=st.sampled_from("cat dog.\n 猫犬é\u0301!ı\u00ad\u200f🙂"), max_size=400),
    st.lists(st.sampled_from(["cat", "dog", "猫犬", "a", "é", '"cat dog"', "ca*", "dog~"])),
    st.sampled_from(["en", "ja", "tr"]),
)
def test_marks_are_ranges_of_the_snippet_in_order(text, words, language):
    snippet, marks = cut(text, " ".join(words), language)
    edges = [edge for mark in marks for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(snippet) for start, end in marks)
    assert all(snippet[start:end] == snippet[start:end].strip() for start, end in marks)


PIECES = (
    "cat", "cats", "dog", "of", "sea. ", "x" * 90, "日本", "好。", 'so?"', "\n", "…", " ", ".",
    "...", "\u3000", "¿Y? »", ")", "e\u0301", "🙂", "۔ ", "\x1c", "cat\n", "！",
)  # fmt: skip


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=120,
    ),
    st.lists(
        st.lists(st.sampled_from(["cat", "dog", "of", "日本"]), min_size=1, max_size=2), max_size=4
    ),
)
@pytest.mark.parametrize("between", [" ", "", ". "])
def test_the_compiled_part_cuts_the_same_snippets(between, words, sought):
    text = between.join(words)
    table = pack_tokens(text, "en")
    wanted = [
        SoughtWord((tuple(map(hash_term, run)),), weight=1.0 + number / 7)
        for number, run in enumerate(sought)
    ]
    compiled = snippet.make_snippet(text, table, wanted, "en")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snippet, "native", None)
        assert snippet.make_snippet(text, table, wanted, "en") == compiled


SCRIPTS = (
    *PIECES, "Cat", "CATS.", "catalan", "lying", "lie ", "nés", "ne\u0301s", "Python写", "don't",
    "c\u00adat", "\u00ad", "½", "ﬁne", "вода", "Вод ", "x" * 400, "y", "a", "İ",
)  # fmt: skip
SOUGHT = ("cat", "lie", "cats run", "né", "вод", "日本", "fine", "y", "1")


@given(
    st.lists(st.sampled_from(SCRIPTS), max_size=80),
    st.lists(st.sampled_from(SOUGHT), min_size=1, max_size=4, unique=True),
    st.sampled_from(["en", "", "de", "id", "tr", "ru", "ja", "xx"]),
)
@pytest.mark.parametrize("between", [" ", "", ". "])
def test_without_a_table_the_same_snippets_are_cut(between, words, sought, language):
    text = between.join(words)
    wanted = [
        SoughtWord.of([tuple(terms(run, language, keep_stop_words=True))], 1.0 + number / 7)
        for number, run in enumerate(sought)
    ]
    with_table = make_snippet(text, pack_tokens(text, language), wanted, language)
    assert make_snippet(text, None, wanted, language) == with_table


def test_phrases_and_near_misses_need_no_table(view_of):
    text = f"{FILLER} A black cat. {FILLER}"
    words = view_of(Document(text=text, language="en"))
    for query in ('"black cat"', "cat~1", "blac*", "nothing of"):
        read = read_query(query, ("en",))
        shown = words_to_show(read.query, read.languages, NO_LEXICON, words)
        with_table = make_snippet(text, pack_tokens(text, "en"), shown, "en")
        assert make_snippet(text, None, shown, "en") == with_table
        assert with_table[1]


@pytest.mark.parametrize(
    ("table", "runs"),
    [("12345", []), ("", [(0, ())]), ("", [(1, (1,))]), ("", [(0, (-1,))]), ("", [1])],
)
def test_what_is_no_table_or_run_is_refused(table, runs):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        snippet.native.make_snippet("", table, runs, [1.0], 240, 200)


def test_the_table_of_a_longer_text_is_refused():
    table = pack_tokens("a long way to the cat", "en")
    with pytest.raises(ValueError, match="another text"):
        snippet.native.make_snippet("a", table, [(0, (hash_term("cat"),))], [1.0], 240, 200)
