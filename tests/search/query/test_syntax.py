import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.search.query.syntax import (
    MOST_COSTLY,
    MOST_NESTING,
    MOST_WISHES,
    All,
    Either,
    Not,
    QueryWish,
    Row,
    parse,
    parse_pieces,
)
from telusur.search.query.understood import describe


def word(text: str, field: str = "") -> QueryWish:
    return QueryWish(text, field)


def phrase(text: str, field: str = "") -> QueryWish:
    return QueryWish(text, field, "phrase")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("two words", [word("two"), word("words")]),
        ('"a phrase" word', [phrase("a phrase"), word("word")]),
        ("“curly quotes” „low“ «wide»", [phrase("curly quotes"), phrase("low"), phrase("wide")]),
        ("cat -dog NOT bird", [word("cat"), Not(word("dog")), Not(word("bird"))]),
        ('-"hot dog"', [Not(phrase("hot dog"))]),
        ("site:a.org LANG:de", [word("a.org", "site"), word("de", "lang")]),
        ('title:"big cat" -title:dog', [phrase("big cat", "title"), Not(word("dog", "title"))]),
        ('site:"a.org"', [word("a.org", "site")]),
        ("type:forum url:docs/api", [word("forum", "type"), word("docs/api", "url")]),
        ("topic:cats", [word("cats", "topic")]),
        ("after:2024 before:2024-05-31", [word("2024", "after"), word("2024-05-31", "before")]),
        ("cat OR dog", [Either((word("cat"), word("dog")))]),
        ("a | b OR c", [Either((word("a"), word("b"), word("c")))]),
        ("cat or dog", [word("cat"), word("or"), word("dog")]),
        ("cat AND dog", [All((word("cat"), word("dog")))]),
        ("e-mail", [word("e-mail")]),
        ("run* colour~ colour~2", [
            QueryWish("run", kind="prefix"), QueryWish("colour", kind="fuzzy", distance=1),
            QueryWish("colour", kind="fuzzy", distance=2),
        ]),
    ],
)  # fmt: skip
def test_what_was_typed(text, parts):
    assert list(parse(text).parts) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a b OR c d", [word("a"), Either((word("b"), word("c"))), word("d")]),
        ("a AND b OR c", [Either((All((word("a"), word("b"))), word("c")))]),
        ("a AND (b OR c)", [All((word("a"), Either((word("b"), word("c")))))]),
        ("a AND -b", [All((word("a"), Not(word("b"))))]),
        ("-(a b)", [Not(Row((word("a"), word("b"))))]),
        ("-(-a)", [word("a")]),
        ("NOT NOT a", [word("a")]),
        ("(a b) c", [word("a"), word("b"), word("c")]),
        ("((a OR b)) OR c", [Either((word("a"), word("b"), word("c")))]),
        ("title:(a OR b)", [Either((word("a", "title"), word("b", "title")))]),
        ("title:(a site:b)", [word("a", "title"), word("b", "site")]),
    ],
)
def test_brackets_and_what_binds_tighter(text, parts):
    assert list(parse(text).parts) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"open quote', [phrase("open quote")]),
        ("OR cat OR", [word("cat")]),
        ("AND AND cat AND OR dog", [Either((word("cat"), word("dog")))]),
        ("cat OR -dog", [word("cat"), Not(word("dog"))]),
        ("NOT", []),
        ("site:", [word("site:")]),
        ("http://a.org", [word("http://a.org")]),
        ("before:lunch after:2024-13", [word("before:lunch"), word("after:2024-13")]),
        ('""', []),
        ("- -", []),
        ("--help", [word("help")]),
        (")))cat(((", [word("cat")]),
        ("(cat", [word("cat")]),
        ("()", []),
        ("a* ab~ *", [word("a"), word("ab"), word("*")]),
        ("\x00 \n\t\ud800", []),
        ("\u200fsite:a.org\u200e", [word("a.org", "site")]),
    ],
)
def test_what_makes_no_sense_is_taken_as_words(text, parts):
    assert list(parse(text).parts) == parts


def test_an_endless_query_is_cut():
    assert len(parse("a " * 50_000).parts) == MOST_WISHES


def test_only_so_many_prefixes_and_near_misses_are_looked_for():
    kinds = [wish.kind for wish in parse("run* walk~2 " * 50).parts]
    assert kinds.count("prefix") + kinds.count("fuzzy") == MOST_COSTLY
    assert kinds.count("word") == 100 - MOST_COSTLY


def depth_of(tree):
    parts = [tree.part] if isinstance(tree, Not) else getattr(tree, "parts", ())
    return 1 + max(map(depth_of, parts), default=0)


def test_brackets_nest_only_so_deep():
    text = "(a AND (b OR " * 500
    assert depth_of(parse(text)) <= 2 * MOST_NESTING + 2
    assert parse("(" * 2000 + "cat" + ")" * 2000) == Row((word("cat"),))


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        (
            'cats AND (dogs OR "guinea pig") site:example.org',
            'cats AND (dogs OR "guinea pig") site:example.org',
        ),
        ("cats NOT dogs", "cats -dogs"),
        ("a b | c", "a (b OR c)"),
        ("a | b", "a OR b"),
        ("-(a b)", "-(a b)"),
        ("title:(a OR b) run* go~", "(title:a OR title:b) run* go"),
        ("color~ (((", "color~1"),
        ('site:"a b"', 'site:"a b"'),
    ],
)
def test_what_was_understood_can_be_read(text, understood):
    assert describe(parse(text)) == understood


PIECES = st.sampled_from(
    ["cat", "dog ", " ", '"', "(", ")", "-", "OR ", " AND ", " NOT ", "*", "~", "~2", "site:",
     "title:", "before:2024 ", "after:", "\u200f", "🙂", "\x00", "猫", ":", "|", " x"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_any_string_is_understood_and_reads_the_same_again(text):
    tree = parse(text)
    assert parse(describe(tree)) == tree


@given(
    st.text(st.sampled_from("aZ9_ é東\u0301\x1c\x85\u2003\u00ad\t") | st.characters(), max_size=40)
    | st.lists(st.sampled_from(["cat", "OR", "and", "NOT", " ", "\n"]), max_size=9).map(" ".join)
)
def test_nothing_but_words_is_read_as_anything_else_is(text):
    assert parse(text) == parse_pieces(text)
