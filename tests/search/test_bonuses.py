from telusur.index.query import Query, Words
from telusur.search.bonuses import MOST_WORDS, with_bonuses


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
