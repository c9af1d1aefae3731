"""Whole crawls of real servers on loopback: how politely, and how much of each."""

import sqlite3
import threading
import time
from itertools import pairwise

import pytest

import telusur
from telusur.backends.sqlite.database.schema import DATABASE
from telusur.crawl.hosts.politeness import opens_at
from tests.sites import Answer, page, serving, wait_until

FAST = {"allow_private": True, "delay": 0, "index": False}


def robots(text):
    return Answer(f"User-agent: *\n{text}\n", headers={"Content-Type": "text/plain"})


def crawl(directory, urls, **settings):
    """Crawl; return the URLs as {url: (state, reason)}."""
    with telusur.open(directory) as collection:
        collection.crawl(urls, **{**FAST, **settings})
        return {row["url"]: (row["state"], row["reason"]) for row in collection.urls()}


def crawl_until(is_so, directory, urls, **settings):
    """Crawl until something is so; the crawl would go on."""
    with telusur.open(directory) as collection:
        more = {**FAST, **settings}
        crawling = threading.Thread(target=collection.crawl, args=(urls,), kwargs=more)
        crawling.start()
        try:
            wait_until(is_so)
        finally:
            with telusur.open(directory) as steering:
                wait_until(lambda: steering.stop() or not crawling.is_alive())
            crawling.join()
        return {row["url"]: (row["state"], row["reason"]) for row in collection.urls()}


def host_row(directory, column):
    with sqlite3.connect(directory / DATABASE) as connection:
        return connection.execute(f"SELECT {column} FROM hosts").fetchone()[0]


def is_parked(directory):
    return lambda: host_row(directory, "coalesce(max(not_before), 0)") > time.time()


def closed_window(now):
    """Return a window that is closed now, opens in three hours, and its opening time."""
    minute = int(now % 86400 // 60)
    first, last = (minute + 180) % 1440, (minute + 240) % 1440
    text = f"{first // 60:02}{first % 60:02}-{last // 60:02}{last % 60:02}"
    return text, opens_at((first, last), now)


def test_outside_its_visiting_hours_a_host_is_parked_and_nothing_is_skipped(tmp_path):
    text, opening = closed_window(time.time())
    with serving({"/robots.txt": robots(f"Visit-time: {text}"), "/": page("Home")}) as site:
        states = crawl_until(is_parked(tmp_path / "c"), tmp_path / "c", [site.url("/")])
        assert site.paths() == []
        assert states == {site.url("/"): ("waiting", "")}
        assert host_row(tmp_path / "c", "not_before") == pytest.approx(opening, abs=1)
        assert host_row(tmp_path / "c", "leased") == 0
        with telusur.open(tmp_path / "c") as collection:
            story = collection.why(site.url("/"))
    assert story.state == "waiting"
    assert f"Visit-time: {text}" in story.reason
    assert time.strftime("%Y-%m-%d %H:%M", time.gmtime(opening)) in story.reason


def test_inside_its_visiting_hours_a_host_is_asked(tmp_path):
    with serving({"/robots.txt": robots("Visit-time: 0000-2400"), "/": page("Home")}) as site:
        assert crawl(tmp_path / "c", [site.url("/")])[site.url("/")] == ("done", "")


def test_a_long_retry_after_is_remembered_over_a_stop(tmp_path):
    with serving(
        {"/": Answer("", 503, {"Retry-After": "1800"}), "/robots.txt": robots("")}
    ) as site:
        crawl_until(is_parked(tmp_path / "c"), tmp_path / "c", [site.url("/")])
        asked = len(site.requests)
        assert host_row(tmp_path / "c", "not_before") > time.time() + 1700
        crawl(tmp_path / "c", [site.url("/")], seconds=1.0)
        assert len(site.requests) == asked == 2


def test_a_robots_file_that_redirects_is_not_asked_for_sooner_than_the_delay(tmp_path):
    pages = {"/robots.txt": Answer(status=301, headers={"Location": "/r2"}), "/r2": robots("")}
    with serving({**pages, "/": page("Home")}) as site:
        crawl(tmp_path / "c", [site.url("/")], delay=0.4)
        times = [request.at for request in site.requests]
    assert len(times) == 3
    assert all(later - earlier >= 0.4 for earlier, later in pairwise(times))


def test_a_robots_file_is_not_asked_for_again_while_the_crawl_is_paused(tmp_path):
    """Its first answer is an error; the crawl pauses before the second try, and stops."""
    is_paused = threading.Event()

    def rules(path):
        is_paused.wait(100)
        return Answer("", 500)

    with serving({"/robots.txt": rules, "/": page("Home")}) as site:
        with telusur.open(tmp_path / "c") as collection:
            urls = [site.url("/")]
            crawling = threading.Thread(target=collection.crawl, args=(urls,), kwargs=FAST)
            crawling.start()
            wait_until(lambda: site.requests)
            with telusur.open(tmp_path / "c") as steering:
                steering.pause()
                is_paused.set()
                time.sleep(2.5)  # it would be asked for again after a second
                assert site.asked("/robots.txt") == 1
                steering.stop()
            crawling.join()
        assert site.asked("/robots.txt") == 1


def test_hosts_of_one_address_share_a_limit(tmp_path):
    most, now, lock = 0, 0, threading.Lock()
    three = threading.Barrier(3, timeout=100)

    def slow(path):
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        three.wait()  # nobody is answered before three are asked for
        time.sleep(0.05)  # a fourth would come now
        with lock:
            now -= 1
        return page(path)

    with serving({"/robots.txt": robots("")}, otherwise=slow) as site:
        port = site.origin.rpartition(":")[2]
        urls = [f"http://h{number}.localhost:{port}/" for number in range(12)]
        states = crawl(tmp_path / "c", urls, per_address=3)
    assert {state for state, _ in states.values()} == {"done"}
    assert most == 3


def test_single_hosts_have_settings_of_their_own_and_never_less_than_robots_asks_for(tmp_path):
    pages = {"/": page("Home", links=["/1", "/2"]), "/robots.txt": robots("Crawl-delay: 0.3")}
    with serving(pages, otherwise=page) as site:
        port = site.origin.rpartition(":")[2]
        tables = {
            f"http://a.localhost:{port}": {"delay": 0, "header": ["X-Pass: 1"]},
            "*.localhost": {"delay": 0.6},
        }
        urls = [f"http://{name}.localhost:{port}/" for name in "ab"]
        crawl(tmp_path / "c", urls, host=tables)
        gaps = {}
        for name in "ab":
            host = f"{name}.localhost:{port}"
            times = [one.at for one in site.requests if one.headers["Host"] == host]
            gaps[name] = min(y - x for x, y in pairwise(times))
            headers = {one.headers.get("X-Pass") for one in site.requests
                       if one.headers["Host"] == host and one.path != "/robots.txt"}  # fmt: skip
            assert headers == ({"1"} if name == "a" else {None})
    assert gaps["a"] >= 0.3, "robots.txt asks for it"
    assert gaps["b"] >= 0.6


@pytest.mark.slow
def test_a_budget_ends_a_path_survives_a_restart_and_may_grow(tmp_path):
    links = [f"/shop/{number}" for number in range(6)]
    with serving({"/robots.txt": robots(""), "/": page("Home", links=[*links, "/x"])},
                 otherwise=page) as site:  # fmt: skip
        shop = site.url("/shop/")

        def done(states):
            return sum(url.startswith(shop) and s == ("done", "") for url, s in states.items())

        states = crawl(tmp_path / "c", [site.url("/")], budget=[f"{shop}=2"])
        assert done(states) == 2
        assert list(states.values()).count(("skipped", f"budget: {shop} 2")) == 4
        assert states[site.url("/x")] == ("done", "")
        assert done(crawl(tmp_path / "c", [site.url("/")], budget={shop: 2})) == 2
        assert done(crawl(tmp_path / "c", [site.url("/")], budget=[f"{shop}=5"])) == 5
        assert done(crawl(tmp_path / "c", [site.url("/")])) == 6
        assert sum(path.startswith("/shop/") for path in site.paths()) == 6


def test_a_site_of_twice_the_weight_gets_twice_the_pages(tmp_path, monkeypatch):
    # On a busy machine an answer may take longer than that; nobody is parked for it here.
    monkeypatch.setattr("telusur.crawl.hosts.active_host.PARKED_SECONDS", 60.0)

    with serving({"/robots.txt": robots("")}, otherwise=page) as site:
        port = site.origin.rpartition(":")[2]
        names = [f"{name}.localhost:{port}" for name in ("heavy", "light")]
        # All are known from the start: nobody waits for a site whose pages are still being parsed.
        urls = [f"http://{name}/{number}" for number in range(150) for name in names]
        weight = {"heavy.localhost": 2}
        crawl(tmp_path / "c", urls, pages=180, weight=weight, traps=False, content="text")
        heavy = sum(one.headers["Host"].startswith("heavy") for one in site.requests)
    assert abs(heavy - 120) <= 30
