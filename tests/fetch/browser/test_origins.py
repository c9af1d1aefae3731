"""Pages in a real Chromium that ask other hosts: what they are told, and what is sent along."""

import pytest

import telusur
from telusur.extract.rendered import RenderLimits
from telusur.fetch.browser.renderer import BrowserDesk
from tests.sites import Answer, serving

SCRIPT = {"Content-Type": "text/javascript"}
CSS = {"Content-Type": "text/css"}
FAST = {"allow_private": True, "delay": 0, "index": False, "scope": "any"}
SECRET = "TOP-SECRET-SALARY-LIST"
TOKEN = "Bearer SECRET-TOKEN"
ROBOTS = Answer("User-agent: *", headers={"Content-Type": "text/plain"})


@pytest.fixture(scope="module")
def desk():
    with BrowserDesk(allow_private=True, limits=RenderLimits(seconds=60)) as made:
        yield made


@pytest.fixture
def home():
    """The host that credentials are for."""
    with serving({"/robots.txt": ROBOTS}) as site:
        yield site


@pytest.fixture
def foreign():
    """Another host, with pages that want what is not theirs."""
    with serving({"/robots.txt": ROBOTS}, address="127.0.0.2") as site:
        yield site


def shell(script: str) -> str:
    """Return a page that is empty without its script, and tells its own host what it found."""
    return (
        "<!doctype html><title>Shell</title><div id=app></div><script>"
        "const tell = (what) => fetch('/told?' + encodeURIComponent(String(what).slice(0, 200)))"
        ".catch(() => 0);"
        f"(async () => {{ {script} }})()</script>"
    )


def told(site):
    return [request.path.removeprefix("/told?") for request in site.requests
            if request.path.startswith("/told?")]  # fmt: skip


def crawl(directory, *urls, **settings):
    with telusur.open(directory) as collection:
        collection.crawl(list(urls), **FAST, **settings)
        return {row["url"]: row["state"] for row in collection.urls()}


def ask(url, options="{}"):
    return (
        f"try {{ const answer = await fetch('{url}', {options});"
        " await tell('read:' + await answer.text()) }"
        " catch (error) { await tell('refused') }"
    )


@pytest.mark.slow
def test_a_foreign_page_cannot_read_what_the_header_of_another_host_opens(tmp_path, home, foreign):
    home.pages["/"] = f"<title>Home</title><a href='{foreign.url('/')}'>there</a>"
    home.pages["/private"] = SECRET
    foreign.pages["/"] = shell(ask(home.url("/private"), "{credentials: 'include'}"))
    crawl(tmp_path / "c", home.url("/"), header=[f"Authorization: {TOKEN}"])
    assert told(foreign) == ["refused"]
    starts = [request for request in home.requests if request.path == "/"]
    assert [request.headers.get("Authorization") for request in starts] == [TOKEN]
    asked = [request for request in home.requests if request.path == "/private"]
    assert asked, "the browser is told no after asking, as browsers do"
    assert all("Authorization" not in request.headers for request in asked)


def test_a_foreign_page_cannot_read_what_cookies_of_another_host_open(tmp_path, home, foreign):
    jar = tmp_path / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tabc123\n")
    home.pages["/"] = f"<title>Home</title><a href='{foreign.url('/')}'>there</a>"
    home.pages["/private"] = SECRET
    foreign.pages["/"] = shell(ask(home.url("/private"), "{credentials: 'include'}"))
    crawl(tmp_path / "c", home.url("/"), cookies=str(jar))
    assert told(foreign) == ["refused"]
    starts = [request for request in home.requests if request.path == "/"]
    assert [request.headers.get("Cookie") for request in starts] == ["sid=abc123"]
    asked = [request for request in home.requests if request.path == "/private"]
    assert asked
    assert all("Cookie" not in request.headers for request in asked)


def test_a_page_gets_its_own_parts_with_credentials_and_others_get_none_of_that(
    tmp_path, home, foreign
):
    jar = tmp_path / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tabc123\n")
    home.pages["/"] = (
        "<!doctype html><title>Home</title><div id=app></div><script src=/mine.js></script>"
        f"<script>app.innerHTML = '<a href=\"{foreign.url('/')}\">there</a>'</script>"
    )
    home.pages["/mine.js"] = Answer("globalThis.mine = 'mine'", headers=SCRIPT)
    foreign.pages["/"] = f"<script src='{home.url('/mine.js')}'></script>" + shell("tell(mine)")
    settings = {"header": [f"Authorization: {TOKEN}"], "cookies": str(jar)}
    crawl(tmp_path / "c", home.url("/"), **settings)
    assert told(foreign) == ["mine"]
    sent = [
        (request.headers.get("Authorization"), request.headers.get("Cookie"))
        for request in home.requests
        if request.path == "/mine.js"
    ]
    assert sent == [(TOKEN, "sid=abc123"), (None, None)]


def test_a_redirect_of_a_foreign_page_gets_no_credentials_of_where_it_leads(
    tmp_path, home, foreign
):
    jar = tmp_path / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tabc123\n")
    home.pages["/"] = f"<title>Home</title><a href='{foreign.url('/')}'>there</a>"
    home.pages["/private"] = Answer("x", headers={"Access-Control-Allow-Origin": "*"})
    foreign.pages["/to-private"] = Answer(status=302, headers={"Location": home.url("/private")})
    foreign.pages["/"] = shell(ask("/to-private"))
    settings = {"header": [f"Authorization: {TOKEN}"], "cookies": str(jar)}
    crawl(tmp_path / "c", home.url("/"), **settings)
    assert told(foreign) == ["read%3Ax"]
    [asked] = [request for request in home.requests if request.path == "/private"]
    assert "Authorization" not in asked.headers
    assert "Cookie" not in asked.headers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allowed", "answer"),
    [
        ("*", "read"),
        ("the page", "read"),
        ("http://127.0.0.3", "refused"),
        ("null", "refused"),
        ("", "refused"),
        ("nobody", "refused"),
    ],
)
def test_a_server_decides_who_may_read_it(desk, home, foreign, allowed, answer):
    allowed = foreign.origin if allowed == "the page" else allowed
    home.pages["/open"] = Answer("x", headers={"Access-Control-Allow-Origin": allowed})
    foreign.pages["/"] = shell(ask(home.url("/open")))
    desk.page(foreign.url("/"))
    assert [words.partition("%")[0] for words in told(foreign)] == [answer]


@pytest.mark.slow
def test_a_frame_without_an_origin_cannot_read_what_allows_nobody(desk, home, foreign):
    home.pages["/closed"] = SECRET
    foreign.pages["/closed"] = SECRET
    asking = "".join(
        f"fetch('{site.url('/closed')}').then((a) => a.text()).then((text) =>"
        f" parent.postMessage('read', '*'), () => parent.postMessage('refused', '*'));"
        for site in (home, foreign)
    )
    foreign.pages["/"] = shell(
        "addEventListener('message', (event) => tell(event.data));"
        "const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts';"
        f'frame.srcdoc = "<script>{asking}<" + "/script>"; document.body.append(frame);'
    )
    desk.page(foreign.url("/"))
    assert told(foreign) == ["refused", "refused"]


def test_a_redirect_does_not_make_another_host_ones_own(desk, home, foreign):
    home.pages["/private"] = SECRET
    home.pages["/open"] = Answer("open", headers={"Access-Control-Allow-Origin": "*"})
    foreign.pages["/to-private"] = Answer(status=302, headers={"Location": home.url("/private")})
    foreign.pages["/to-open"] = Answer(status=302, headers={"Location": home.url("/open")})
    wish = "{headers: {'X-Mine': '1', Authorization: 'mine'}}"
    foreign.pages["/"] = shell(ask("/to-private", wish) + ask("/to-open"))
    desk.page(foreign.url("/"))
    assert told(foreign) == ["refused", "read%3Aopen"]
    assert [request.path for request in home.requests] == ["/private", "/open"]
    assert [request.headers.get("Origin") for request in home.requests] == [foreign.origin] * 2
    sent = {name.lower() for request in home.requests for name in request.headers}
    assert not sent & {"authorization", "x-mine"}


@pytest.mark.slow
def test_a_second_redirect_of_other_hosts_has_no_origin_any_more(desk, home, foreign):
    home.pages["/on"] = Answer(status=302, headers={"Location": foreign.url("/back")})
    foreign.pages["/back"] = SECRET
    foreign.pages["/"] = shell(ask(home.url("/on")))
    desk.page(foreign.url("/"))
    assert told(foreign) == ["refused"]
    back = next(request for request in foreign.requests if request.path == "/back")
    assert back.headers["Origin"] == "null"


@pytest.mark.slow
def test_scripts_and_styles_of_other_hosts_load(desk, home, foreign):
    home.pages["/lib.js"] = Answer("globalThis.lib = 'lib'", headers=SCRIPT)
    home.pages["/look.css"] = Answer("#app { width: 77px }", headers=CSS)
    foreign.pages["/moved.js"] = Answer(status=302, headers={"Location": home.url("/lib2.js")})
    home.pages["/lib2.js"] = Answer("globalThis.lib2 = 'lib2'", headers=SCRIPT)
    foreign.pages["/"] = (
        f"<!doctype html><link rel=stylesheet href='{home.url('/look.css')}'>"
        f"<script src='{home.url('/lib.js')}'></script><script src='/moved.js'></script>"
    ) + shell("await tell(lib + lib2 + app.getBoundingClientRect().width)")
    desk.page(foreign.url("/"))
    assert told(foreign) == ["liblib277"]


@pytest.mark.slow
def test_what_is_no_style_sheet_is_not_read_as_one_behind_a_redirect(desk, home, foreign):
    foreign.pages["/moved.css"] = Answer(status=302, headers={"Location": home.url("/list")})
    home.pages["/list"] = Answer(f"{{}} {SECRET} {{ width: 1px }}")
    foreign.pages["/"] = "<link rel=stylesheet href='/moved.css'>" + shell(
        "await new Promise((done) => addEventListener('load', done));"
        "let read = 'nothing'; try { for (const sheet of document.styleSheets)"
        " for (const rule of sheet.cssRules) read = rule.cssText } catch (error) {}"
        "await tell(read)"
    )
    desk.page(foreign.url("/"))
    assert [request.path for request in home.requests] == ["/list"]
    assert told(foreign) == ["nothing"]


@pytest.mark.slow
def test_a_header_of_a_script_goes_to_another_host_only_if_that_host_agrees(desk, home, foreign):
    agrees = {
        "Access-Control-Allow-Origin": foreign.origin,
        "Access-Control-Allow-Headers": "X-Key",
    }
    home.pages["/agrees"] = Answer("agreed", headers=agrees)
    home.pages["/silent"] = Answer("silent", headers={"Access-Control-Allow-Origin": "*"})
    wish = "{headers: {'X-Key': '1'}}"
    foreign.pages["/"] = shell(ask(home.url("/agrees"), wish) + ask(home.url("/silent"), wish))
    desk.page(foreign.url("/"))
    assert told(foreign) == ["read%3Aagreed", "refused"]
    asked = [(one.method, one.path, one.headers.get("x-key")) for one in home.requests]
    assert asked == [
        ("OPTIONS", "/agrees", None), ("GET", "/agrees", "1"), ("OPTIONS", "/silent", None),
    ]  # fmt: skip
