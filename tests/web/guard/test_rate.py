from telusur.web.guard.rate import Buckets, client_of
from telusur.web.paperdoll.doll import make_paper_doll


class Clock:
    """A clock that goes when it is told to."""

    now = 100.0

    def __call__(self):
        return self.now


def test_a_bucket_holds_ten_seconds_and_fills_again():
    clock = Clock()
    buckets = Buckets(2, clock)
    assert [buckets.take("a") for _ in range(20)] == [0.0] * 20
    assert buckets.take("a") == 0.5
    clock.now += 0.5
    assert buckets.take("a") == 0.0
    assert buckets.take("a") == 0.5
    clock.now += 1e6
    assert [buckets.take("a") for _ in range(20)] == [0.0] * 20
    assert buckets.take("a") > 0


def test_clients_do_not_pay_for_each_other():
    buckets = Buckets(0.1, Clock())
    assert [buckets.take("a"), buckets.take("b")] == [0.0, 0.0]
    assert buckets.take("a") == 10.0


def test_the_longest_unseen_are_forgotten():
    buckets = Buckets(0.1, Clock(), most=2)
    for client in ("a", "b", "c"):
        buckets.take(client)
    assert buckets.take("c") > 0
    assert buckets.take("a") == 0.0


def test_a_household_is_one_client():
    assert client_of({"client": ("2001:db8:1:2:3::4", 1)}) == "2001:db8:1:2::/64"
    assert client_of({"client": ("192.0.2.7", 1)}) == "192.0.2.7"
    assert client_of({"client": ("::ffff:192.0.2.7", 1)}) == "192.0.2.7"
    assert client_of({"client": None}) == ""


def test_too_many_requests_are_told_when_to_come_back(show):
    running = show(make_paper_doll(), rate_limit=0.1)
    assert running.get("/status.json").status == 200
    refused = running.get("/status.json")
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) in range(1, 11)
    assert list(refused.json) == ["ok", "error", "errors", "status"]
    assert "Too many requests" in refused.json["error"]
    assert "content-security-policy" in refused.headers
    assert running.get("/").headers["content-type"] == "text/html; charset=utf-8"
    assert running.get("/static/css/base.css").status == 200


def test_zero_is_any_number(show):
    running = show(make_paper_doll(), rate_limit=0)
    assert {running.get("/favicon.svg").status for _ in range(30)} == {200}
