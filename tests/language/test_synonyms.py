import pytest

from telusur.errors import UsageError
from telusur.language.synonyms import parse_synonyms


def test_a_line_is_a_group_and_an_arrow_goes_one_way():
    found = parse_synonyms("\ufeffcar, Auto # wheels\n\n# nothing\ntv => television, telly")
    assert found.pairs == (
        ("car", "Auto"),
        ("Auto", "car"),
        ("tv", "television"),
        ("tv", "telly"),
    )


def test_synonyms_are_compared_by_their_stems():
    found = parse_synonyms("cars, motor vehicles").of_language("en")
    assert found == {("car",): (("motor", "vehicl"),), ("motor", "vehicl"): (("car",),)}
    assert parse_synonyms("IŞIK, LAMBA").of_language("tr") == {
        ("ışık",): (("lamba",),),
        ("lamba",): (("ışık",),),
    }


@pytest.mark.parametrize("line", ["car", "=> auto", "car =>", "car,", ","])
def test_a_line_without_a_synonym_is_named(line):
    with pytest.raises(UsageError, match=r"mine\.txt, line 2"):
        parse_synonyms(f"a, b\n{line}", "mine.txt")
