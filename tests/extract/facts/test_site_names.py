import pytest

from telusur.extract.facts.site_names import (
    host_labels,
    is_within,
    learn_site_names,
    site_keys,
    squeeze,
    strip_site_name,
)


@pytest.mark.parametrize(
    ("title", "site", "expected"),
    [
        ("Fog signals | Coast Herald", "", "Fog signals | Coast Herald"),
        ("How fog signals work | Coast Herald", "", "How fog signals work"),
        ("How fog signals work | News | Coast Herald", "", "How fog signals work"),
        ("Fog and bells – and more - Coast Herald", "", "Fog and bells – and more"),
        ("Fog - Coast Herald", "Coast Herald", "Fog"),
        ("Fog - Coast-Herald", "Coast Herald", "Fog"),
        ("Coast Herald: Fog", "coast herald", "Fog"),
        ("Fog | Coast Herald", "Coast Herald", "Fog"),
        ("海上的雾和号角-海岸新闻网", "", "海上的雾和号角"),
        ("海上的雾_海岸网", "海岸网", "海上的雾"),
        ("Fog: a history of horns", "", "Fog: a history of horns"),
        ("Twenty-one lights", "", "Twenty-one lights"),
        ("", "", ""),
    ],
)
def test_site_names_are_cut_off(title, site, expected):
    assert strip_site_name(title, site) == expected


def test_names_of_a_site():
    keys = site_keys(
        {"og:site_name": ["The Coast"]}, "", "https://www.news.coast.co.example/a", ["X Y Z"]
    )
    assert {"thecoast", "xyz", "coast"} <= keys
    assert host_labels("https://www.news.coast.co.example/a") == ("coast",)
    assert site_keys({}, "", "") == frozenset()
    assert squeeze(" Coast-Herald_1! ") == "coastherald1"


@pytest.mark.parametrize(
    ("title", "longer", "expected"),
    [
        ("Fog", "Fog - Coast Herald", True),
        ("Fog", "Coast Herald | Fog", True),
        ("Fog - a history", "Fog - a history | Sea", True),
        ("Fog", "Fog bells", False),
        ("Fog", "Fog", False),
        ("", "Fog", False),
        ("og", "Fog", False),
    ],
)
def test_a_title_within_another(title, longer, expected):
    assert is_within(title, longer) is expected


def test_names_are_cut_off_behind_a_sign_without_spaces():
    names = frozenset(["coastherald", "海岸网", "news"])
    assert strip_site_name("Fog_Coast Herald", keys=names) == "Fog"
    assert strip_site_name("雾-海岸网", keys=names) == "雾"
    assert strip_site_name("Fog | News | Coast Herald", keys=names) == "Fog"
    assert strip_site_name("Bad-news", keys=names) == "Bad-news"


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("{} - Coast Herald", ["Coast Herald"]),
        ("{} | News | Coast Herald", ["News", "Coast Herald"]),
        ("Coast Herald: {}", ["Coast Herald"]),
        ("Coast Herald » {}", ["Coast Herald"]),
        ("{}_海岸新闻", ["海岸新闻"]),
        ("雾{}-海岸新闻", ["海岸新闻"]),
        ("{}", []),
        ("Tech-{} on the coast", []),
    ],
)
def test_names_are_learned_from_the_titles_of_a_site(title, names):
    words = ["Fog", "Bells at night", "Storm - a view", "The pilot", "Horns of 1923"]
    assert set(learn_site_names(map(title.format, words))) == set(names)


def test_what_too_few_titles_have_is_no_name():
    assert learn_site_names(["Fog - Sea", "Bells - Sea"]) == []
    assert learn_site_names(["Fog - Sea"] * 2 + ["Fog"]) == []
    assert learn_site_names([]) == []
    many = [f"Fog {number} - Sea" for number in range(3)] + [f"Bell {n}" for n in range(90)]
    assert learn_site_names(many) == []


def test_a_title_that_many_pages_have_is_a_name():
    assert learn_site_names(["All about the sea"] * 5 + ["Fog"]) == ["All about the sea"]
