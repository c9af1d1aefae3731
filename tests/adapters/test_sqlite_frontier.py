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
            ("depth", "scope"),
            lambda url, depth: None if depth <= 5 else "depth",
            lambda depth: -float(depth),
            NOW,
        )
        assert admitted == 2
        urls = {u.url: u.score for lease in frontier.lease(9, 9, NOW) for u in lease.urls}
        assert urls == {"http://a/deep": -5, "http://b/out": -1}, "as near as they are"

    def test_smaller_limits_keep_out_what_waits_and_lose_nothing(self):
        frontier = self.make()
        urls = [new("a/near", 1, score=0.5), new("a/far", 3, score=0.7), new("b/far", 4, score=0.9)]
        frontier.add([*urls, new("a/not", 3, skip_reason="robots: Disallow: /no")], NOW)

        def judge(most):
            return lambda url, depth: None if depth <= most else "depth"

        (lease,) = frontier.lease(1, 1, NOW)  # what is under way is left alone
        assert frontier.keep_out(judge(2), NOW) == 1
        frontier.release(lease.host, NOW, NOW)
        frontier.keep_out(judge(2), NOW)
        counts = frontier.counts()
        assert (counts.waiting, counts.skipped) == (1, 3)
        assert frontier.next_ready_at() is not None
        admitted = frontier.admit_again(("depth",), judge(3), lambda depth: -float(depth), NOW)
        assert admitted == 1
        assert frontier.admit_again(("depth",), judge(9), lambda depth: -float(depth), NOW) == 1
        scores = {u.url: u.score for lease in frontier.lease(9, 9, NOW) for u in lease.urls}
        assert scores == {"http://a/near": 0.5, "http://a/far": 0.7, "http://b/far": 0.9}

    def test_what_is_kept_out_for_another_reason_now_says_so(self):
        frontier = self.make()
        frontier.add([new("a/1", 9, skip_reason="scope: other site")], NOW)
        frontier.admit_again(("scope", "depth"), lambda url, depth: "depth", float, NOW)
        (reason,) = self.connection.execute("SELECT reason FROM urls").fetchone()
        assert reason == "depth"

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
