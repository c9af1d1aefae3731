from telusur.crawl.in_flight import LARGE_GROUP, LEASED_URLS, MOST_UNWRITTEN, InFlightLimits


def test_an_ordered_strategy_begins_with_one_page_at_a_time_and_ends_at_full_speed():
    limits = InFlightLimits(is_ordered=True)
    assert [limits.most_under_way(n) for n in (0, 25, 49, 500, 10**6)] == [1, 1, 1, 20, 1000]
    assert [limits.large_group(n) for n in (0, 500, 10**6)] == [1, 10, LARGE_GROUP]
    assert [limits.urls_of_host(n, 5) for n in (0, 500, 10**6)] == [1, 4, LEASED_URLS]


def test_for_others_nothing_depends_on_the_pages():
    limits = InFlightLimits()
    assert limits.most_under_way(0) == limits.most_under_way(9) == MOST_UNWRITTEN
    assert (limits.large_group(0), limits.urls_of_host(0, 400)) == (LARGE_GROUP, LEASED_URLS)


def test_one_by_one_nothing_else_is_under_way():
    for limits in (
        InFlightLimits(is_ordered=True, one_by_one=True),
        InFlightLimits(one_by_one=True),
    ):
        assert [limits.most_under_way(n) for n in (0, 10**6)] == [1, 1]
