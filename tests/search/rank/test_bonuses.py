from telusur.index.query import Query, Words
from telusur.search.query.lexicon import NO_LEXICON
from telusur.search.query.reader import read_query
from telusur.search.rank.bonuses import MOST_WORDS, TypedWords, with_bonuses


def word(*forms):
    return Words(tuple((form,) for form in forms))


def test_words_typed_side_by_side_are_looked_for_near_each_other_and_in_the_url():
    query = with_bonuses(Query(wanted=(word("a"), word("b", "bb"), word("c"))))
    near = [node.variants for node in query.bonus if node.slop]
    assert near == [(("a", "b"), ("a", "bb")), (("b", "c"), ("bb", "c"))]
    assert [node.variants for node in query.bonus if node.place == "url"] == [
        (("a",),),
        (("b",), ("bb",)),
        (("c",),),
    ]


def test_what_is_not_a_single_word_is_left_alone():
    phrase = Words((("a", "b"),))
    assert with_bonuses(Query(required=(phrase,))) == Query(required=(phrase,))
    assert with_bonuses(Query()) == Query()


def test_prose_is_cut():
    many = tuple(word(f"w{n}") for n in range(1_000))
    assert len(with_bonuses(Query(wanted=many)).bonus) < 2 * MOST_WORDS


def bonuses_as_typed(text, *languages):
    read = read_query(text, languages)
    typed = TypedWords.of(read.tree, read.languages, NO_LEXICON)
    query = with_bonuses(read.query, typed)
    return [node.variants for node in query.bonus if getattr(node, "place", "") == "exact"]


def test_words_as_they_were_typed_add_a_little_and_so_do_all_of_them_in_a_row():
    assert bonuses_as_typed("Ruang pengguna", "id") == [
        (("ruang",),),
        (("pengguna",),),
        (("ruang", "pengguna"),),
    ]
    assert bonuses_as_typed("the cats of Rome", "en") == [(("cats",),), (("rome",),)]
    assert bonuses_as_typed("cats", "en") == [(("cats",),)]
    assert bonuses_as_typed('"black cats" title:cats -dogs', "en") == []


def test_no_bonus_is_shown_in_a_snippet():
    assert not any(
        getattr(node, "place", "") == "exact"
        for node in read_query("ruang tamu", ["id"]).query.bonus
    )
