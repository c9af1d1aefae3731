"""One word, several meanings: hits in groups that are about the same."""

import random

import numpy as np
import pytest

import telusur as library
from telusur.search.help.clusters import OTHER, cluster, join_by_average, weigh

ANIMAL = "rainforest prey hunts cubs claws spotted fur river wildlife habitat predator"
CAR = "engine sedan gearbox dealer horsepower steering Coventry luxury petrol wheels saloon"
PLANET = "orbit crater probe sun telescope gravity spacecraft astronomers rotation solar"
METAL = "thermometer liquid toxic poisoning vapour silver mining amalgam spill exposure"
DULL = "people time year first made often large part known many"


def pages(name, word, vocabulary, count, seed):
    """Yield pages about one meaning of a word, with dull words that all meanings share."""
    chance = random.Random(seed)
    for number in range(count):
        said = chance.sample(vocabulary.split(), 7) * 2 + chance.sample(DULL.split(), 6)
        chance.shuffle(said)
        text = f"The {word} " + " ".join(said[:10]) + f". A {word}, " + " ".join(said[10:]) + "."
        yield library.Document(
            url=f"https://{name}.example/{number}", title=f"{word} {number}", text=text,
            language="en",
        )  # fmt: skip


@pytest.fixture
def collection(tmp_path):
    with library.open(tmp_path / "c") as opened:
        opened.add(pages("animal", "jaguar", ANIMAL, 14, 1))
        opened.add(pages("car", "Jaguar", CAR, 9, 2))
        opened.add(pages("planet", "Mercury", PLANET, 8, 3))
        opened.add(pages("metal", "mercury", METAL, 8, 4))
        yield opened


def sites(group):
    return {hit.site for hit in group.hits}


@pytest.mark.parametrize(
    ("word", "meanings"),
    [
        ("jaguar", {"animal.example": ANIMAL, "car.example": CAR}),
        ("mercury", {"planet.example": PLANET, "metal.example": METAL}),
    ],
)
def test_two_meanings_of_a_word_are_two_groups_named_by_their_own_words(collection, word, meanings):
    results = collection.search(word, group="topic", limit=20)
    assert [sites(group) for group in results.groups if len(sites(group)) > 1] == []
    assert {site for group in results.groups for site in sites(group)} == set(meanings)
    assert sum(group.total for group in results.groups) == results.total
    for group in results.groups:
        (site,) = sites(group)
        words = group.name.replace(",", "").split()
        assert group.name == "other" or set(words) <= set(meanings[site].split()), group.name
        assert word not in group.name.casefold()


def test_the_largest_group_comes_first_and_hits_keep_their_order(collection):
    results = collection.search("jaguar", group="topic", limit=30)
    totals = [group.total for group in results.groups if group.name != "other"]
    assert totals == sorted(totals, reverse=True)
    ranks = {hit.url: place for place, hit in enumerate(results.hits)}
    for group in results.groups:
        places = [ranks[hit.url] for hit in group.hits]
        assert places == sorted(places)


def test_groups_are_the_same_every_time_and_as_long_as_a_page(collection):
    first = collection.search("jaguar", group="topic", limit=3).groups
    assert first == collection.search("jaguar", group="topic", limit=3).groups
    assert all(len(group.hits) == min(3, group.total) for group in first)
    assert collection.search("jaguar").groups == ()


def test_words_are_named_as_they_are_written(collection):
    names = " ".join(group.name for group in collection.search("jaguar", group="topic").groups)
    assert "coventry" not in names
    assert "hunt " not in f"{names} ".replace(",", " ")


@pytest.mark.parametrize(
    "query", ["xyzzy", "", "jaguar cubs claws fur -engine site:nowhere.example"]
)
def test_nothing_found_has_no_groups(collection, query):
    assert collection.search(query, group="topic").groups == ()


def test_few_hits_are_one_group_without_a_topic(collection):
    collection.add([library.Document(url="https://a.example/1", text="Quokka.", language="en")])
    (group,) = collection.search("quokka", group="topic").groups
    assert (group.name, group.total) == ("other", 1)


def test_phrases_and_other_scripts(tmp_path):
    chance = random.Random(5)
    texts = [
        f"Python の{chance.choice('蛇猫犬')}。森林に住む大蛇は小動物を食べる。熱帯雨林の大蛇。"
        for _ in range(5)
    ] + [
        f"Python {n}: machine learning with a snake case name, machine learning." for n in range(5)
    ]
    with library.open(tmp_path / "c") as opened:
        opened.add(
            library.Document(url=f"https://a.example/{n}", text=text)
            for n, text in enumerate(texts)
        )
        groups = opened.search("python", group="topic").groups
    assert "machine learning" in " ".join(group.name for group in groups)
    assert all(len({hit.language for hit in group.hits}) == 1 for group in groups)


def test_rows_that_share_nothing_are_other():
    labels = cluster(weigh(np.eye(5, dtype=np.float32)))
    assert labels.tolist() == [OTHER] * 5


def test_clusters_are_numbered_by_size():
    counts = np.zeros((9, 2), np.float32)
    counts[:4, 0], counts[4:, 1] = 1, 1
    assert cluster(weigh(counts)).tolist() == [1] * 4 + [0] * 5


def test_average_link_takes_the_mean_and_not_the_nearest():
    likeness = np.array(
        [[1.0, 0.9, 0.8, 0.0], [0.9, 1.0, 0.0, 0.0], [0.8, 0.0, 1.0, 0.3], [0.0, 0.0, 0.3, 1.0]]
    )
    assert join_by_average(likeness, 0.35).tolist() == [0, 0, 0, 3]
    assert join_by_average(likeness, 0.45).tolist() == [0, 0, 2, 3]
