"""Crawls with a browser: what is rendered, what is found by it, and what a kill costs."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from warcio.archiveiterator import ArchiveIterator

import telusur
from telusur.extract.rendered import RenderLimits
from telusur.fetch.browser.pool import RenderingPool
from telusur.fetch.browser.processes import is_running
from telusur.fetch.browser.renderer import find_browser
from telusur.models import Page
from tests.sites import Answer, page, serving, wait_until

FAST = {"allow_private": True, "delay": 0}
PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
SCRIPT = {"Content-Type": "text/javascript"}
SHELL = '<!doctype html><title>{0}</title><div id=app></div><script src="/app.js"></script>'
APP = """const name = location.pathname.slice(1) || "home";
const links = {home: ["tides", "plain", "away"], tides: ["moon"]}[name] ?? [];
const count = async () => {
  const answers = await Promise.all([1, 2, 3].map((n) => fetch(`/data?${name}=${n}`)));
  app.append(`${answers.filter((answer) => answer.ok).length} numbers.`);
};
const praise = "a visit ".repeat(30);
app.innerHTML = `<h1>All about ${name}</h1><p>A script wrote: ${name} is worth ${praise}</p>`
  + links.map((to) => `<a href="/${to}">${to}</a>`).join(" ");
count();"""
SITE = {
    "/": SHELL.format("Home"),
    "/tides": SHELL.format("Tides"),
    "/moon": SHELL.format("Moon"),
    "/plain": page("Plain", "Nothing here needs a script. " * 20),
    "/away": "<!doctype html><title>Away</title><script>location = '/goal'</script>",
    "/goal": page("Goal", "This is where the script led. " * 20),
    "/app.js": Answer(APP, headers=SCRIPT),
}


class Counting:
    """Pages of a site that count how many of them are asked for at the same time."""

    def __init__(self):
        self.now = self.most = 0

    def __call__(self, path):
        self.now += 1
        self.most = max(self.most, self.now)
        time.sleep(0.02)
        self.now -= 1
        return Answer("{}", headers={"Content-Type": "application/json"})


def states(collection, site):
    return {
        row["url"].removeprefix(site.origin): (row["state"], row["reason"])
        for row in collection.urls()
    }


def test_auto_renders_empty_shells_and_nothing_else(tmp_path):
    counting = Counting()
    pages = {path: lambda path: (counting(path), SITE[path])[1] for path in SITE}
    with serving(pages, otherwise=counting) as site, telusur.open(tmp_path / "c") as collection:
        summary = collection.crawl([site.url("/")], **FAST)
        asked = site.paths()
        assert states(collection, site) == {
            **dict.fromkeys(["/", "/tides", "/plain", "/moon", "/goal"], ("done", "")),
            "/away": ("done", "redirect"),
        }
        assert (summary.progress.rendered, summary.progress.needs_browser) == (4, 0)
        hits = {
            hit.url.removeprefix(site.origin) for hit in collection.search('"worth a visit"').hits
        }
        assert hits == {"/", "/tides", "/moon"}
        events = {path: collection.why(site.url(path)).events[-1] for path in ("/moon", "/plain")}
        assert events["/moon"].reason == "rendered in a browser"
        assert b"A script wrote: moon" in collection.html(site.url("/moon"))[0]
        assert b"Nothing here needs" in collection.html(site.url("/plain"))[0]
        assert events["/plain"].reason == ""
        assert collection.page(site.url("/moon")).body == SITE["/moon"].replace("{0}", "").encode()
        assert collection.verify().problems == []
    data = [f"/data?{name}={n}" for name in ("home", "tides", "moon") for n in (1, 2, 3)]
    assert sorted(asked) == sorted([*SITE, *data]), "each once, also the script they share"
    assert counting.most == 1, "one request at a time, pages and their parts together"
    with next((tmp_path / "c" / "archive").glob("*.gz")).open("rb") as file:
        kept = {
            record.rec_headers["WARC-Target-URI"]: record.content_stream().read().decode()
            for record in ArchiveIterator(file)
            if record.rec_type == "conversion"
        }
    assert len(kept) == 4
    assert "<h1>All about moon</h1>" in kept[site.url("/moon")]


def test_never_leaves_shells_as_they_are(tmp_path):
    with serving(SITE) as site, telusur.open(tmp_path / "c") as collection:
        summary = collection.crawl([site.url("/")], **FAST, render="never", index=False)
        assert site.paths() == ["/"]
        assert (summary.progress.rendered, summary.progress.needs_browser) == (0, 1)


@pytest.mark.slow
def test_frames_are_indexed_with_their_page_unless_robots_forbid_them(tmp_path):
    pages = {
        "/robots.txt": Answer(
            "User-agent: *\nDisallow: /shut", headers={"Content-Type": "text/plain"}
        ),
        "/": "<title>Quay</title><p>Out<iframe src=/open></iframe><iframe src=/shut></iframe>",
        "/open": page("Open", "Lanterns within a frame."),
        "/shut": page("Shut", "Nothing for robots."),
    }
    settings = {**FAST, "render": "always", "depth": 0}
    with serving(pages) as site, telusur.open(tmp_path / "c") as collection:
        collection.crawl([site.url("/")], **settings)
        assert [hit.url for hit in collection.search("lanterns").hits] == [site.url("/")]
        assert site.paths() == ["/", "/open"]


def run_crawl(site, directory, *flags):
    command = [PROGRAM, "crawl", site.url("/"), "--to", str(directory), "--allow-private"]
    return subprocess.Popen(
        [*command, "--delay", "0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_without_a_browser_auto_goes_on_and_always_does_not_start(tmp_path):
    with serving(SITE) as site:
        crawl = run_crawl(site, tmp_path / "c", "--browser", "/no/such", "--no-index")
        _, words = crawl.communicate(timeout=100)
        assert crawl.returncode == 0
        assert words.count("/no/such") == 1
        assert "1 page was made by JavaScript and not rendered: /no/such is no program" in words
        crawl = run_crawl(site, tmp_path / "d", "--browser", "/no/such", "--render", "always")
        answer, words = crawl.communicate(timeout=100)
        assert (crawl.returncode, answer) == (2, "")
        assert words.startswith("telusur: --render always: /no/such is no program that can be run;")
        assert len(words.splitlines()) == 1
        assert not (tmp_path / "d").exists()


def browsers_below(pid):
    """Return the browsers that a process has started."""
    command = ["ps", "-ww", "-eo", "pid,ppid,args"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()[1:]]
    parents = {int(row[0]): int(row[1]) for row in rows}
    marked = [int(row[0]) for row in rows if "--telusur-browser=" in row[2]]
    return [one for one in marked if parents.get(parents[one]) == pid]


@pytest.mark.slow
def test_always_renders_every_page_and_a_killed_crawl_leaves_no_browser_behind(tmp_path):
    slow = {**SITE, "/app.js": Answer(APP, headers=SCRIPT, seconds=30)}
    flags = ("--render", "always", "--json", "--no-index", "--pages", "3")
    with serving(slow) as site:
        crawl = run_crawl(site, tmp_path / "c", *flags)
        try:
            wait_until(lambda: site.asked("/app.js"))
            (browser,) = browsers_below(crawl.pid)
        finally:
            crawl.kill()
            crawl.communicate()
        wait_until(lambda: not is_running(browser))
        site.pages["/app.js"] = SITE["/app.js"]
        crawl = run_crawl(site, tmp_path / "c", *flags)
        output, _ = crawl.communicate(timeout=100)
        assert crawl.returncode == 0
        assert '"rendered": 3, "not_rendered": 0' in output
        assert site.asked("/") == 2, "only what was in flight is fetched again"
    with telusur.open(tmp_path / "c") as collection:
        why = collection.why(site.url("/plain"))
        assert why.events[-1].reason == "rendered in a browser"
        assert collection.counts().done == 3


def leaders(pool):
    """Return the main process of each running browser."""
    return [browser.pid for browser in pool._all if browser.pid is not None]


@pytest.mark.slow
def test_a_browser_that_dies_hangs_or_is_worn_out_is_replaced():
    body = b"<p>before</p><script>document.body.append('after')</script>"
    limits = RenderLimits(seconds=4, spare_seconds=6)  # what the one that hangs costs
    pids = []

    async def go():
        async with RenderingPool(find_browser(), limits=limits, pages=2) as pool:

            async def draw(number, hurt=None):
                if hurt is not None:
                    (pid,) = leaders(pool)
                    os.kill(pid, hurt)
                answer = await pool.render(Page(f"http://a.example/{number}", 200, body=body), None)
                pids.extend(leaders(pool))
                return answer

            killed = [await draw(0), await draw(1, signal.SIGKILL)]
            hung = await draw(2, signal.SIGSTOP)
            worn = [await draw(3), await draw(4)]
            return killed + worn, hung, pool.starts, leaders(pool)

    drawn, hung, starts, left = asyncio.run(go())
    assert all("after</body>" in rendered.html for rendered in drawn)
    assert (hung.html, hung.reason) == ("", "took longer than 4 s")
    assert starts == 3
    assert left == [], "the last had drawn its two pages"
    assert not any(map(is_running, pids))


@pytest.mark.slow
def test_a_browser_that_does_not_start_is_given_up_and_pages_count_as_they_came(tmp_path):
    broken = tmp_path / "chromium"
    broken.write_text(f"#!/bin/sh\necho x >> {tmp_path}/starts\nexit 1\n")
    broken.chmod(0o755)
    shells = {f"/{n}": SHELL.format(n) for n in range(5)}
    site_pages = {"/": page("Home", links=list(shells)), **shells}
    with serving(site_pages) as site, telusur.open(tmp_path / "c") as collection:
        settings = {**FAST, "browser": str(broken), "index": False}
        summary = collection.crawl([site.url("/")], **settings)
        stories = [collection.why(site.url(path)) for path in shells]
    assert {story.state for story in stories} == {"done"}
    reasons = [story.events[-1].reason for story in stories]
    assert all(reason.startswith(f"not rendered: {broken} does not start") for reason in reasons)
    assert summary.progress.unrendered.total() == 5
    assert len((tmp_path / "starts").read_text().split()) == 3
