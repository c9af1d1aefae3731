import pytest

from bench.many_cores import describe, speed_on

SHARES = {"owner": 0.5, "parser": 2.0, "indexer": 0.8}


@pytest.mark.parametrize(
    ("cores", "pages_per_second", "limit"),
    [(1, 1000 / 3.3, "the cores"), (2, 2000 / 3.3, "the cores"), (8, 1250, "the indexer")],
)
def test_a_process_that_is_alone_limits_the_speed_when_cores_do_not(cores, pages_per_second, limit):
    assert speed_on(cores, SHARES) == (pytest.approx(pages_per_second), limit)


def test_without_an_indexer_the_owner_is_the_limit():
    assert speed_on(16, {"owner": 0.5, "parser": 2.0}) == (2000, "the owner")


def test_the_table_compares_with_one_core():
    assert "| 32 | 1,250 | 4.1 | the indexer |" in describe("all", SHARES).splitlines()
