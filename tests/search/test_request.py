import pytest

from telusur.errors import UsageError
from telusur.search.request import SearchRequest


def test_what_is_asked_by_default_can_be_asked():
    SearchRequest("words").check()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"page": 0}, "page 0"),
        ({"limit": 0}, "limit 0"),
        ({"limit": 5_000}, "at most 1,000"),
        ({"per_site": -1}, "per_site -1"),
        ({"model": "bm52"}, "bm25f, tfidf"),
        ({"group": "color"}, "try site"),
        ({"facets": ("site", "color")}, "'color'"),
    ],
)
def test_what_cannot_be_asked_gets_one_clear_sentence(wrong, named):
    with pytest.raises(UsageError, match=named):
        SearchRequest("words", **wrong).check()
