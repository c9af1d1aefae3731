import pytest

from telusur.adapters.sqlite_frontier import SqliteFrontier
from telusur.adapters.sqlite_schema import connect, create_database
from tests.adapters.frontier_suite import NOW, FrontierSuite, new


class TestSqliteFrontier(FrontierSuite):
    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path):
        create_database(tmp_path)
        self.connection = connect(tmp_path, read_only=False)
        yield
        self.connection.close()

    def make(self):
        return SqliteFrontier(self.connection)

    def test_larger_limits_admit_what_they_had_skipped(self):
        frontier = self.make()
        frontier.add(
            [
                new("a/deep", 5, skip_reason="depth: 5 is more than 3"),
                new("b/out", 1, skip_reason="scope: other site"),
                new("a/no", 1, skip_reason="robots: Disallow: /no"),
            ],
            NOW,
        )
        admitted = frontier.admit_again(
            ("depth", "scope"), lambda url, depth: None if depth <= 5 else "depth", NOW
        )
        assert admitted == 2
        urls = {u.url for lease in frontier.lease(9, 9, NOW) for u in lease.urls}
        assert urls == {"http://a/deep", "http://b/out"}

    def test_a_start_url_that_failed_is_tried_again(self):
        frontier = self.make()
        frontier.add([new("a/1", skip_reason="scope: other site")], NOW)
        assert frontier.add_start([new("a/1", 0)], NOW).waiting == 1
        (lease,) = frontier.lease(9, 9, NOW)
        assert lease.urls[0].depth == 0

    def test_a_thousand_urls_in_one_go(self):
        frontier = self.make()
        urls = [new(f"h{n % 7}/{n}") for n in range(2000)]
        assert frontier.add(urls, NOW).fresh == 2000
        assert frontier.add(urls, NOW).fresh == 0
        assert sum(len(lease.urls) for lease in frontier.lease(7, 5000, NOW)) == 2000
