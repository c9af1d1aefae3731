import pytest

from telusur.extract.facts.days.month_names import MONTHS, MONTHS_OF_LANGUAGE, PERSIAN_MONTHS


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("januari", 1), ("février", 2), ("марта", 3), ("nisan", 4), ("mayo", 5), ("kesäkuuta", 6),
        ("lipca", 7), ("अगस्त", 8), ("σεπτεμβρίου", 9), ("تشرين الأول", 10), ("พ.ย", 11),
        ("deciembre", None), ("diciembre", 12),
    ],
)  # fmt: skip
def test_names_of_months(name, number):
    assert MONTHS.get(name) == number


def test_no_name_can_be_mistaken():
    assert set(MONTHS.values()) == set(PERSIAN_MONTHS.values()) == set(range(1, 13))
    assert all(name == name.lower().strip(". ") for name in MONTHS)
    for names in MONTHS_OF_LANGUAGE.values():
        assert any(MONTHS.get(name) != number for name, number in names.items())
