"""Whole crawls of real servers on loopback: what is fetched, what is kept, and why."""

import itertools

import pytest

import telusur
from telusur.crawl.hosts.active_hosts import FAIR_LEAD
from telusur.crawl.in_flight import LEASED_URLS
from telusur.errors import UsageError
from telusur.fetch.curl.client import HttpClient
from tests.sites import Answer, page, serving

FAST = {"allow_private": True, "delay": 0, "index": False}


@pytest.fixture
def crawl(tmp_path):
    """Crawl into one collection; return its URLs as {path: (state, reason)}."""

    def go(site, *paths, **settings):
        with telusur.open(tmp_path / "c") as collection:
            urls = [site.url(path) for path in paths or ["/"]]
            go.summary = collection.crawl(urls, **{**FAST, **settings})
            go.pages = list(collection.pages())
            return {
                row["url"].removeprefix(site.origin): (row["state"], row["reason"])
                for row in collection.urls()
            }

    go.directory = tmp_path / "c"
    return go


def test_every_page_of_a_site_is_fetched_once(crawl):
    pages = {
        "/": page("Home", links=["/a", "/b", "/a#x"]),
        "/a": page("A", links=["/b", "/c", "/"]),
    }
    with serving(pages | {"/b": page("B"), "/c": page("C")}) as site:
        states = crawl(site)
        assert sorted(site.paths()) == ["/", "/a", "/b", "/c"]
        assert site.asked("/robots.txt") == 1
    assert states == dict.fromkeys(("/", "/a", "/b", "/c"), ("done", ""))
    assert crawl.summary.outcome == "done"
    assert next(row["title"] for row in crawl.pages) == "Home"
    assert {row["depth"] for row in crawl.pages} == {0, 1, 2}


def test_breadth_first_order(crawl):
    pages = {"/": page("0", links=["/1a", "/1b"]), "/1a": page("1", links=["/2"]), "/1b": page("b")}
    with serving(pages | {"/2": page("2")}) as site:
        crawl(site)
        assert site.paths() == ["/", "/1a", "/1b", "/2"]


def test_robots_rules_are_obeyed_and_named(crawl):
    robots = "User-agent: *\nDisallow: /private\nAllow: /private/but\n"
    pages = {"/robots.txt": Answer(robots, headers={"Content-Type": "text/plain"})}
    pages["/"] = page("Home", links=["/private/x", "/private/but", "/open"])
    with serving(pages, otherwise=page) as site:
        states = crawl(site)
        assert "/private/x" not in site.paths()
    assert states["/private/x"] == ("skipped", "robots: Disallow: /private")
    assert states["/private/but"][0] == "done"
    assert states["/open"][0] == "done"


@pytest.mark.parametrize("status", [404, 403])
def test_a_missing_robots_file_allows_everything(crawl, status):
    with serving({"/robots.txt": Answer("", status), "/": page("Home")}) as site:
        assert crawl(site)["/"] == ("done", "")


def test_a_broken_robots_file_forbids_everything_until_it_is_mended(crawl):
    with serving({"/robots.txt": Answer("", 503), "/": page("Home")}) as site:
        assert crawl(site)["/"] == ("skipped", "robots: unreachable, http 503")
        assert site.paths() == []
        site.pages["/robots.txt"] = Answer("", 404)
        assert crawl(site)["/"] == ("done", "")


def test_redirects_are_followed_through_the_frontier(crawl):
    pages = {
        "/": page("Home", links=["/old", "/loop", "/away", "/none", "/bad"]),
        "/old": Answer(status=301, headers={"Location": "/new"}),
        "/loop": Answer(status=302, headers={"Location": "/loop"}),
        "/away": Answer(status=302, headers={"Location": "http://elsewhere.invalid/"}),
        "/none": Answer(status=302),
        "/bad": Answer(status=302, headers={"Location": "file:///etc/passwd"}),
        "/new": page("New"),
    }
    with serving(pages) as site:
        states = crawl(site)
    assert states["/old"] == ("done", "redirect")
    assert states["/new"] == ("done", "")
    assert states["/loop"][0] == "failed"
    assert states["http://elsewhere.invalid/"] == ("skipped", "scope: other site")
    assert states["/none"] == ("failed", "bad response: redirect without a target")
    assert states["/bad"][0] == "failed"
    new = next(row for row in crawl.pages if row["title"] == "New")
    assert new["depth"] == 1, "a redirect's target is as far away as the redirect"


def test_an_endless_chain_of_redirects_ends(crawl):
    count = itertools.count()

    def hop(path):
        return Answer(status=302, headers={"Location": f"/hop/{next(count)}/x"})

    with serving({"/robots.txt": Answer("", 404)}, otherwise=hop) as site:
        states = crawl(site)
        assert len(site.paths()) == 11
    assert ("failed", "too many redirects") in states.values()


def test_the_spelling_a_server_insists_on_is_fetched(crawl):
    pages = {
        "/index.html": Answer(status=301, headers={"Location": "/"}),
        "/": page("Home", "Home is where the page is."),
    }
    with serving(pages) as site:
        states = crawl(site, "/index.html")
    assert list(states.values()) == [("done", "")]
    assert crawl.pages[0]["title"] == "Home"
    assert crawl.pages[0]["status"] == 200


def test_meta_refresh_is_followed_like_a_redirect(crawl):
    refresh = page("Moved", head='<meta http-equiv="refresh" content="0; url=/new">')
    with serving({"/": refresh, "/new": page("New")}) as site:
        states = crawl(site, depth=0)
    assert states == {"/": ("done", "redirect"), "/new": ("done", "")}


def test_errors_are_tried_three_times(crawl):
    answers = iter([Answer("", 500), Answer("", 500), page("At last")])
    pages = {"/": page("Home", links=["/flaky", "/broken", "/gone"])}
    pages |= {
        "/flaky": lambda path: next(answers),
        "/broken": Answer("", 500),
        "/gone": Answer("", 410),
    }
    with serving(pages) as site:
        states = crawl(site)
        assert (site.asked("/flaky"), site.asked("/broken"), site.asked("/gone")) == (3, 3, 1)
    assert states["/flaky"] == ("done", "")
    assert states["/broken"] == ("failed", "http 500")
    assert states["/gone"] == ("failed", "http 410")


def test_retry_after_parks_the_host(crawl):
    answers = iter([Answer("", 503, {"Retry-After": "1"}), page("Later")])
    pages = {"/": page("Home", links=["/busy", "/x"]), "/busy": lambda path: next(answers)}
    with serving(pages, otherwise=page) as site:
        states = crawl(site)
        times = {request.path: request.at for request in site.requests}
        first_busy = next(r.at for r in site.requests if r.path == "/busy")
    assert states["/busy"] == ("done", "")
    assert times["/busy"] - first_busy >= 1.0
    assert times["/x"] - first_busy >= 1.0, "the whole host is left alone"


def test_only_wanted_content_is_kept(crawl):
    png = Answer(b"\x89PNG" + bytes(200), headers={"Content-Type": "image/png"})
    pages = {
        "/": page("Home", links=["/picture", "/photo.jpg", "/notes", "/liar", "mailto:a@b.c"]),
        "/picture": png,
        "/notes": Answer("Plain notes.", headers={"Content-Type": "text/plain"}),
        "/liar": Answer(b"\x89PNG" + bytes(200)),
    }
    with serving(pages) as site:
        states = crawl(site)
        assert site.asked("/photo.jpg") == 0
    assert states["/picture"] == ("skipped", "content type: image/png")
    assert states["/photo.jpg"] == ("skipped", "content type: .jpg")
    assert states["/liar"] == ("skipped", "content type: binary data")
    assert states["/notes"] == ("done", "")
    assert len(states) == 5


def test_what_is_done_but_not_indexed_says_why(crawl):
    text = "A text long enough to be taken for the content of this page. " * 4
    pages = {
        "/": page("Home", links=["/one", "/two", "/secret", "/copy", "/original"]),
        "/one": page("Same", text),
        "/two": page("Same", text),
        "/secret": page("Secret", head='<meta name="robots" content="noindex">'),
        "/copy": page("Copy", "copied " + text, head='<link rel="canonical" href="/original">'),
        "/original": page("Original", "original " + text),
    }
    with serving(pages) as site:
        states = crawl(site, index=True)
        assert states["/two"] == ("done", f"duplicate: {site.url('/one')}")
        assert states["/copy"] == ("done", f"canonical elsewhere: {site.url('/original')}")
    assert states["/secret"] == ("done", "noindex")
    with telusur.open(crawl.directory) as collection:
        titles = {hit.title for hit in collection.search("secret OR copied OR original").hits}
        assert titles == {"Home", "Original"}  # Home's links name them
        assert collection.search("same").total == 1


def test_of_two_equal_pages_the_one_without_a_query_is_indexed(crawl):
    text = "A text long enough to be taken for the content of this page. " * 4
    pages = {"/": page("Home", links=["/p?x=1", "/later"]), "/later": page("Later", links=["/p"])}
    with serving(pages | {"/p?x=1": page("P", text), "/p": page("P", text)}) as site:
        states = crawl(site)
        assert states["/p?x=1"] == ("done", f"duplicate: {site.url('/p')}")
    assert states["/p"] == ("done", "")


def test_pages_that_name_each_other_as_original_are_both_kept(crawl):
    def half(title, other):
        return page(
            title, f"{title} text of its own", [other], f'<link rel=canonical href="{other}">'
        )

    with serving({"/": half("Ping", "/pong"), "/pong": half("Pong", "/")}) as site:
        crawl(site)
    with telusur.open(crawl.directory) as collection:
        assert collection.counts().documents == 2


def test_page_limit_counts_over_restarts(crawl):
    with serving({}, otherwise=lambda path: page(path, links=[f"{path}a", f"{path}b"])) as site:
        crawl(site, pages=5)
        assert (len(site.paths()), crawl.summary.outcome) == (5, "pages")
        crawl(site, pages=5)
        assert len(site.paths()) == 5
        crawl(site, pages=12)
        assert len(site.paths()) == len(set(site.paths())) == 12
        assert site.asked("/robots.txt") == 1


def test_depth_limit_and_a_larger_one_later(crawl):
    with serving({}, otherwise=lambda path: page(path, links=[f"{path}a"])) as site:
        states = crawl(site, depth=2)
        assert site.paths() == ["/", "/a", "/aa"]
        assert states["/aaa"] == ("skipped", "depth")
        crawl(site, depth=4)
        assert site.paths() == ["/", "/a", "/aa", "/aaa", "/aaaa"]


def test_depth_is_the_shortest_way_in_whatever_order_pages_come(crawl):
    """A page first reached the long way moves up, and so does what it links to."""
    pages = {
        "/": page("0", links=["/slow", "/a"]),
        "/slow": Answer(page("slow", links=["/x"]), seconds=0.6),
        "/a": page("a", links=["/b"]),
        "/b": page("b", links=["/x"]),
        "/x": page("x", links=["/y"]),
        "/y": page("y"),
    }
    with serving(pages) as site:
        states = crawl(site, depth=3, per_host=4)
    assert states["/y"] == ("done", "")
    depth = {row["url"].removeprefix(site.origin): row["depth"] for row in crawl.pages}
    assert (depth["/x"], depth["/y"]) == (2, 3)


def test_time_limit_ends_gracefully(crawl):
    numbers = itertools.count()
    endless = lambda path: page(path, links=[f"/{next(numbers)}"])  # noqa: E731
    with serving({}, otherwise=endless) as site:
        states = crawl(site, seconds=1.5, traps=False)  # pages so much alike would end it sooner
    assert crawl.summary.outcome == "seconds"
    fetched = site.paths()
    assert {states[path][0] for path in fetched} <= {"done", "waiting"}, "nothing is lost"
    assert len(crawl.pages) == sum(state == "done" for state, _ in states.values())
    assert len(set(fetched)) == len(fetched)


def test_scope_include_and_exclude(crawl):
    links = ["/docs/a", "/docs/b.old", "/blog/c", "http://other.invalid/"]
    with serving({"/": page("Home", links=links)}, otherwise=page) as site:
        states = crawl(site, include=["/docs/"], exclude=[r"\.old$"])
        assert sorted(site.paths()) == ["/", "/docs/a"]
    assert states["/docs/b.old"][1].startswith("excluded")
    assert states["http://other.invalid/"] == ("skipped", "scope: other site")


def test_an_endless_calendar_ends_and_a_long_list_does_not(crawl):
    def answer(path):
        kind, number = path.strip("/").rstrip("x").split("/")
        following = f"/{kind}/{int(number) + 1}"
        if kind == "day":
            return page(f"Day {number}", links=[following])
        if kind == "list" and int(number) < 60:
            return page(f"List {number}", links=[following, f"/item/{number}x"])
        return page(path)

    home = page("Home", links=["/day/1", "/list/1"])
    with serving({"/robots.txt": Answer("", 404), "/": home}, otherwise=answer) as site:
        states = crawl(site)
    days = [path for path in site.paths() if path.startswith("/day/")]
    lists = [path for path in site.paths() if path.startswith("/list/")]
    assert len(days) < 60  # the chain is given up when it is deep
    assert len(lists) == 60
    assert any(reason.startswith("trap") for _, reason in states.values())


@pytest.mark.slow
def test_traps_may_be_followed_on_purpose(crawl):
    def day(path):
        number = int(path.rpartition("/")[2])
        return page(f"Day {number}", links=[f"/2026/11/{number + 1}"] if number < 80 else [])

    with serving({"/robots.txt": ""}, otherwise=day) as site:
        crawl(site, "/2026/11/1")
        assert len(site.paths()) < 50
        crawl(site, "/2026/11/1", traps=False)
        assert len(site.paths()) == 80


def test_one_request_at_a_time_and_never_sooner_than_the_delay(crawl):
    home = page("Home", links=[f"/{n}" for n in range(6)])
    with serving({"/": home}, otherwise=page) as site:
        crawl(site, delay=0.15)
        times = [request.at for request in site.requests]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(gaps) == 7
    assert min(gaps) >= 0.15


def test_crawl_delay_of_robots_is_obeyed(crawl):
    robots = Answer("User-agent: *\nCrawl-delay: 0.3\n", headers={"Content-Type": "text/plain"})
    home = page("Home", links=["/1", "/2"])
    with serving({"/robots.txt": robots, "/": home}, otherwise=page) as site:
        crawl(site)
        times = [request.at for request in site.requests]
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= 0.3


def test_credentials_stay_with_the_hosts_they_were_meant_for(crawl):
    with serving({"/": page("Theirs")}) as theirs:
        with serving({"/": page("Home", links=[theirs.url("/")])}) as site:
            crawl(site, scope="any", header=["Authorization: secret", "Accept-Language: tr"])
            ours = next(r.headers for r in site.requests if r.path == "/")
        foreign = next(r.headers for r in theirs.requests if r.path == "/")
    assert (ours["Authorization"], ours["Accept-Language"]) == ("secret", "tr")
    assert "Authorization" not in foreign
    assert foreign["Accept-Language"] == "tr"


def test_a_fault_of_ours_ends_the_crawl_and_loses_nothing(crawl, monkeypatch):
    fetch = HttpClient.fetch

    async def faulty(client, url, **more):
        if url.endswith("/b"):
            raise RuntimeError("a fault of ours")
        return await fetch(client, url, **more)

    with serving({"/": page("Home", links=["/a", "/b", "/c"])}, otherwise=page) as site:
        monkeypatch.setattr(HttpClient, "fetch", faulty)
        with pytest.raises(RuntimeError, match="a fault of ours"):
            crawl(site)
        monkeypatch.undo()
        states = crawl(site)
        assert sorted(set(site.paths())) == ["/", "/a", "/b", "/c"]
    assert set(states.values()) == {("done", "")}


def test_private_addresses_are_refused_by_default(crawl):
    with serving({"/": page("Inside")}) as site:
        states = crawl(site, allow_private=False)
        assert site.requests == []
    assert states["/"] == ("failed", "private address: 127.0.0.1")


def test_sites_get_an_equal_share(crawl, monkeypatch):
    # On a busy machine an answer may take longer than that; nobody is parked for it here.
    monkeypatch.setattr("telusur.crawl.hosts.active_host.PARKED_SECONDS", 60.0)

    def site_of(seconds):
        return serving({}, otherwise=lambda path: Answer(page(path), seconds=seconds))

    with site_of(0) as fast, site_of(0.02) as slow, site_of(0.005) as mid:
        sites = [fast, slow, mid]
        # All are known from the start: nobody waits for a site whose pages are still being parsed.
        urls = [site.url(f"/{number}") for number in range(100) for site in sites]
        with telusur.open(crawl.directory) as collection:
            collection.crawl(urls, **FAST, pages=150, traps=False)
        shares = [len(site.paths()) for site in sites]
    assert sum(shares) == 150
    assert max(shares) - min(shares) <= FAIR_LEAD + LEASED_URLS, "what one may be ahead at a time"


@pytest.mark.parametrize(
    ("urls", "settings", "sentence"),
    [
        (["http://"], {}, "'http://' is not a web address"),
        (["just words"], {}, "is not a web address"),
        (["ftp://example.org/"], {}, "is not a web address"),
        ([], {}, "nothing to crawl"),
        (["http://a.example/"], {"pages": -1}, "pages: -1 is too small"),
        (["http://a.example/"], {"strategy": "fastest"}, "there is no 'fastest'"),
        (["http://a.example/"], {"include": ["("]}, "include"),
        (["http://a.example/"], {"header": ["nonsense"]}, "is not a header"),
        (["http://a.example/"], {"header": ["X: a\r\nY: b"]}, "has a control character"),
        (["http://a.example/"], {"cookies": "/no/such/file"}, "there is no file"),
        (["http://a.example/"], {"render": "always", "browser": "/no/such"}, "/no/such is no prog"),
    ],
)
def test_what_cannot_run_is_said_in_one_sentence(tmp_path, urls, settings, sentence):
    with telusur.open(tmp_path / "c") as collection, pytest.raises(UsageError) as error:
        collection.crawl(urls, **settings)
    assert sentence in str(error.value)
