import pytest

from telusur.extract.facts.site_names import (
    host_labels,
    is_within,
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
