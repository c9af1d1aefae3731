"""Pages in a real Chromium, on servers on loopback; one browser for the whole module."""

import asyncio
import gzip
import os
import signal
import socket
from pathlib import Path

import pytest

import telusur
from telusur.crawl.urls.identity import MAX_URL_LENGTH
from telusur.errors import UsageError
from telusur.extract.drawn import extract_drawn
from telusur.extract.rendered import BOX_PROPERTIES, TEXT_PROPERTIES, RenderLimits
from telusur.fetch.browser import requests as browser_gate
from telusur.fetch.browser.chromium import BrowserGone, Chromium
from telusur.fetch.browser.renderer import BrowserDesk, find_browser, render_html, why_no_browser
from telusur.models import Page
from tests.sites import Answer, serving

SCRIPT = {"Content-Type": "text/javascript"}
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def pages():
    """What the server of this module serves; tests add to it."""
    return {}


@pytest.fixture(scope="module")
def site(pages):
    with serving(pages) as running:
        yield running


@pytest.fixture(scope="module")
def forbidden():
    """A server in the private network whose port nobody allowed."""
    with serving({}, otherwise="secret") as running:
        yield running


@pytest.fixture(scope="module")
def desk(site):
    address = site.origin.removeprefix("http://")
    # Pages end when they are calm, or by the limit that their test is about; never by the clock.
    limits = RenderLimits(seconds=40, requests=20, characters=100_000)
    with BrowserDesk(allow_address=[address], limits=limits) as made:
        assert texts(made.html("<p>it runs")) == ["it runs"]
        yield made


@pytest.fixture(autouse=True)
def fresh(site):
    site.requests.clear()


def texts(rendered, *, hidden=False):
    return [block.text for block in rendered.blocks if block.is_hidden is hidden]


# What scripts make


def test_what_a_script_writes_and_fetches_is_there(desk, site):
    site.pages["/app"] = (
        "<!doctype html><title>App</title><link rel=stylesheet href=/a.css><div id=app></div>"
        "<script src=/app.js></script>"
    )
    site.pages["/a.css"] = Answer("p { font-size: 30px }", headers={"Content-Type": "text/css"})
    site.pages["/app.js"] = Answer("import('/moved.js')", headers=SCRIPT)
    site.pages["/moved.js"] = Answer(status=302, headers={"Location": "/module.js"})
    site.pages["/module.js"] = Answer(
        "const answer = await fetch('/data.json', {headers: {'X-Wanted': 'tides'}});"
        "const data = await answer.json();"
        "app.innerHTML = `<h1>${data.title}</h1><p>Ebb <a href=/flood>and flood</a></p>`;"
        "history.replaceState({}, '', '/app/tides/');",
        headers=SCRIPT,
    )
    site.pages["/data.json"] = Answer('{"title": "Tides"}', headers=JSON)
    rendered = desk.page(site.url("/app"))
    assert texts(rendered) == ["Tides", "Ebb and flood"]
    assert rendered.blocks[1].css["font-size"] == "30px"
    assert rendered.url == site.url("/app/tides/")
    assert rendered.status == 200
    assert rendered.html.startswith("<!DOCTYPE html><html>")
    assert "<base href=" in rendered.html, "links are relative to where the page says it is"
    wanted = {"/app", "/a.css", "/app.js", "/moved.js", "/module.js", "/data.json"}
    assert set(site.paths()) == wanted
    assert rendered.requests == 5
    data = next(request for request in site.requests if request.path == "/data.json")
    assert data.headers["x-wanted"] == "tides"
    assert all(r.headers["User-Agent"].startswith("Telusur/") for r in site.requests)


def test_where_servers_and_scripts_lead_is_followed(desk, site):
    site.pages["/old"] = Answer(status=301, headers={"Location": "/way"})
    site.pages["/way"] = "<title>Way</title><script>location.href = '/goal'</script>"
    site.pages["/goal"] = "<title>Goal</title><p>Arrived."
    rendered = desk.page(site.url("/old"))
    assert (rendered.url, texts(rendered)) == (site.url("/goal"), ["Arrived."])


def test_a_page_in_another_encoding_is_read_as_the_parser_reads_it(desk):
    body = "<meta charset=windows-1254><p>Ağrı dağı".encode("windows-1254")
    assert texts(desk.html(body)) == ["Ağrı dağı"]


def test_elements_with_shadows_are_read_and_written_out(desk):
    rendered = desk.html(
        "<my-card>given</my-card><script>"
        "document.querySelector('my-card').attachShadow({mode: 'open'}).innerHTML = "
        "'<style>p {color: red}</style><p>before <slot></slot> after</p>';</script>"
    )
    assert texts(rendered) == ["before given after"]
    assert telusur.extract(rendered.html).text == "before given after"


def test_shadows_closed_to_scripts_are_read_too(desk):
    rendered = desk.html(
        "<my-card></my-card><my-box><template shadowrootmode='closed'><p>declared</p></template>"
        "</my-box><script>const card = document.querySelector('my-card');"
        "card.attachShadow({mode: 'closed'}).innerHTML = '<p>in the closed</p>';"
        "document.body.append(String(card.shadowRoot))</script>"
    )
    assert texts(rendered) == ["in the closed", "declared", "null"], "scripts find it closed"
    assert telusur.extract(rendered.html).text == "in the closed\ndeclared\nnull"


FRAMED = """<!doctype html><title>Framed</title><style>body {margin: 0} iframe {border: 0}
  .off {display: none}</style><p style="height: 100px; margin: 0">before</p>
  <iframe style="margin-left: 50px; width: 600px; padding-top: 7px" src=/inside/page></iframe>
  <iframe srcdoc="<p>given with the page"></iframe><iframe class=off srcdoc="<p>unseen"></iframe>
  <iframe width=1 height=1 srcdoc="<p>tiny"></iframe><p>after</p>
  <iframe id=made></iframe><script>made.contentDocument.body.innerHTML = "<p>made</p>"</script>"""
INSIDE = """<style>p {color: rgb(1, 2, 3)} .no {display: none} body, p {margin: 0}</style>
  <p class=lead>Within <a href=more>a frame</a></p><p class=no>not there</p><b id=late></b>
  <script>fetch("data").then((answer) => answer.text()).then((text) => { late.innerText = text })
  </script><iframe srcdoc="<p>and within that"></iframe>"""


def test_frames_of_the_same_host_are_part_of_the_page(desk, site):
    site.pages["/framed"] = FRAMED
    site.pages["/inside/page"] = INSIDE
    site.pages["/inside/data"] = "came later"
    rendered = desk.page(site.url("/framed"))
    seen = ["before", "Within a frame", "came later", "and within that", "given with the page"]
    assert texts(rendered) == [*seen, "after", "made"]
    assert texts(rendered, hidden=True) == ["not there", "unseen", "tiny"]
    block = rendered.blocks[1]
    assert block.tag_path == "html/body/iframe/html/body/p"
    assert (block.bounds.x, block.css["color"]) == (50, "rgb(1, 2, 3)")
    assert 107 <= block.bounds.y < 112
    document = telusur.extract(rendered.html, rendered.url, content="text")
    assert document.text.split("\n") == [*seen, "after", "made"]
    links = {link.url: link.anchor for link in document.links}
    assert links[site.url("/inside/more")] == "a frame"
    assert site.url("/inside/page") in links, "it is a page of its own as well"


@pytest.mark.slow
def test_a_frameset_is_read_as_one_page(desk, site):
    site.pages["/set"] = (
        "<frameset cols=1,1,1><frame src=/left><frame src=/right><frame src=/gone></frameset>"
    )
    site.pages |= {"/left": "<a href=x>menu</a>", "/right": "<h1>Tides</h1>", "/x": "x"}
    site.otherwise = Answer("not here", 404)
    rendered = desk.page(site.url("/set"))
    assert texts(rendered) == ["menu", "Tides"]
    document = telusur.extract(rendered.html, rendered.url, content="text")
    assert document.text.split("\n") == ["menu", "Tides"]
    assert {site.url(path) for path in ("/x", "/left", "/right")} <= {
        link.url for link in document.links
    }


@pytest.mark.slow
def test_frames_elsewhere_too_many_and_what_is_no_page_stay_empty(desk, site, forbidden):
    there = forbidden.origin
    frames = [f"{there}/frame", "/away", "/data.json", *(f"/frame?{n}" for n in range(15))]
    site.pages["/many"] = "".join(f"<iframe src={url}></iframe>" for url in frames)
    site.pages["/away"] = Answer(status=302, headers={"Location": f"{there}/away"})
    site.pages["/data.json"] = Answer('{"secret": 1}', headers=JSON)
    site.otherwise = "<p>a frame"
    rendered = desk.page(site.url("/many"))
    assert texts(rendered) == ["a frame"] * 8, "ten were asked for"
    assert forbidden.requests == []
    assert len(site.paths()) == 11
    desk_without_network = desk.html("<iframe src=/frame></iframe>", site.url("/many"))
    assert desk_without_network.blocks == []


# Nothing gets out


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_requests_that_might_change_something_are_not_sent_and_told(desk, site, method):
    site.pages["/cart"] = (
        f"<p>Cart</p><script>fetch('/buy', {{method: '{method}'}})"
        ".catch(() => document.body.append('not bought'))</script>"
    )
    rendered = desk.page(site.url("/cart"))
    assert texts(rendered) == ["Cart", "not bought"]
    assert site.paths() == ["/cart"]
    assert rendered.refused == {site.url("/buy"): f"{method} might change something"}


def test_of_endless_refused_requests_some_are_told(desk, site):
    site.pages["/flood"] = """<!doctype html><title>Flood</title><p>Flood</p><script>
        for (let n = 0; n < 300; n++)
          fetch("/" + n + "x".repeat(9000), { method: "POST" }).catch(() => 0);
        </script>"""
    rendered = desk.page(site.url("/flood"))
    assert len(rendered.refused) == browser_gate.MOST_REFUSED
    assert max(map(len, rendered.refused)) <= MAX_URL_LENGTH
    assert site.paths() == ["/flood"]


def test_only_what_a_page_needs_is_asked_for_and_only_through_the_gate(desk, site, forbidden):
    there = forbidden.origin
    sockets = there.replace("http", "ws")
    site.pages["/greedy"] = f"""<!doctype html><title>Greedy</title>
        <link rel=stylesheet href={there}/s.css><link rel=prefetch href={there}/prefetch>
        <link rel=preconnect href={there}><style>@font-face {{font-family: f; src: url(/f.woff)}}
        p {{font-family: f; background: url(/background.png)}}</style>
        <img src=/picture.png><video src=/film.mp4></video><iframe src={there}/frame></iframe>
       <p>Greedy</p><form action=/form method=post></form>
        <script src={there}/s.js></script><script>
        const note = (name) => document.body.append(` ${{name}}`);
        fetch("{there}/fetch").catch(() => note("refused"));
        fetch("/post", {{method: "POST", body: "x"}}).catch(() => note("unsent"));
        navigator.sendBeacon("{there}/beacon", "x");
        new WebSocket("{sockets}/socket"); new EventSource("{there}/events");
        navigator.serviceWorker?.register("/worker.js").catch(() => 0);
        window.open("{there}/window"); document.forms[0].submit();
        new Worker(URL.createObjectURL(new Blob([`fetch("{there}/worker")`])));
        if (typeof RTCPeerConnection === "undefined") note("deaf");
        alert("hello"); console.log("done");
        </script>"""
    rendered = desk.page(site.url("/greedy"))
    assert forbidden.requests == []
    assert site.paths() == ["/greedy"]
    assert rendered.blocks[0].text == "Greedy"
    assert all(word in rendered.html for word in ("refused", "unsent", "deaf"))
    assert rendered.refused[f"{there}/fetch"] == "private address: 127.0.0.1"


def test_chromium_is_given_no_credentials(monkeypatch):
    for name in ("TELUSUR_HEADER", "TELUSUR_PROXY", "TELUSUR_KEY", "TELUSUR_PASSWORD"):
        monkeypatch.setenv(name, "S3CRET")

    async def go():
        chromium = await Chromium.start(find_browser())
        try:
            return Path(f"/proc/{chromium.pid}/environ").read_bytes()
        finally:
            await chromium.close()

    given = asyncio.run(go())
    assert b"PATH=" in given
    assert b"S3CRET" not in given


# Asks a server for our address by WebRTC, and tells how opening a WebSocket ended.
CALL = """async ([stun, url]) => {
  const line = new RTCPeerConnection({ iceServers: [{ urls: stun }] });
  line.createDataChannel("x");
  const asked = new Promise((done) => { line.onicecandidate = (e) => e.candidate || done(); });
  await line.setLocalDescription(await line.createOffer());
  await Promise.race([asked, new Promise((done) => setTimeout(done, 3000))]);
  const socket = new WebSocket(url);
  return new Promise((done) => { socket.onerror = () => done("no"); socket.onopen = done; });
}"""


@pytest.mark.slow
def test_chromium_by_itself_reaches_nothing_and_its_death_is_noticed(site):
    async def go(phone):
        chromium = await Chromium.start(find_browser())
        try:
            tab = await chromium._browser.new_page()
            for url in (site.url("/"), site.url("/").replace("127.0.0.1", "localhost")):
                with pytest.raises(Exception, match="ERR_PROXY_CONNECTION_FAILED"):
                    await tab.goto(url, timeout=60_000)
            tab = await chromium._browser.new_page()  # the other may still draw its error
            stun = f"stun:127.0.0.1:{phone.getsockname()[1]}"
            assert await tab.evaluate(CALL, [stun, site.url("/").replace("http", "ws")]) == "no"
            assert chromium.memory_bytes() > 50_000_000
            chromium.is_stuck = True  # so that it is ended by force
            await chromium.close()
            assert not chromium.is_alive()
            with pytest.raises(BrowserGone):
                await chromium.render(Page("http://a.invalid/"), None, RenderLimits(), blocks=False)
        finally:
            await chromium.close()

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
        phone.bind(("127.0.0.1", 0))
        phone.setblocking(False)
        asyncio.run(go(phone))
        with pytest.raises(BlockingIOError):  # it never rang
            phone.recv(1)
    assert site.requests == []


# Limits


def test_a_script_that_never_ends_is_stopped_and_what_is_there_counts(desk):
    starts = desk._browser.starts
    rendered = desk.html("<p>before</p><script>while (true) {}</script><p>after</p>")
    assert texts(rendered) == ["before", "after"]
    assert texts(desk.html("<p>and on it goes")) == ["and on it goes"]
    assert desk._browser.starts == starts, "it did not cost the browser"


def test_a_page_that_crashes_its_tab_costs_itself(desk, site):
    def crash(path):
        for pid in desk.pids():
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        return Answer("never", headers=SCRIPT)

    starts = desk._browser.starts
    site.pages["/bomb"] = "<p>before</p><script src=/bomb.js></script>"
    site.pages["/bomb.js"] = crash
    rendered = desk.page(site.url("/bomb"))
    assert (rendered.html, rendered.reason) == ("", "the page crashed the browser")
    assert texts(desk.html("<p>and on it goes")) == ["and on it goes"]
    assert desk._browser.starts == starts


@pytest.mark.slow
def test_a_page_that_fills_the_memory_costs_the_browser_and_no_other_page(desk, monkeypatch):
    starts = desk._browser.starts
    monkeypatch.setattr("telusur.fetch.browser.renderer.MOST_MEMORY_BYTES", 1)
    rendered = desk.html("<script>setInterval(() => document.body.append('x'), 9)</script>")
    assert (rendered.html, rendered.reason) == ("", "took too much memory")
    monkeypatch.undo()
    assert texts(desk.html("<p>and on it goes")) == ["and on it goes"]
    assert desk._browser.starts == starts + 1


@pytest.mark.slow
def test_a_page_without_end_is_cut_off(desk, site):
    site.pages["/endless"] = (
        "<p>first</p><script>let n = 0; const more = () => fetch('/more?' + n++).then(more);"
        "more()</script>"
    )
    site.otherwise = Answer("{}", headers=JSON)
    rendered = desk.page(site.url("/endless"))
    assert texts(rendered)[0] == "first"
    assert rendered.requests == 20
    assert len(site.paths()) == 21
    assert "too much for one page" in rendered.refused.values()


@pytest.mark.slow
def test_what_a_page_becomes_is_bounded(desk):
    page = "<script>document.write('<p>word'.repeat(20000))</script>"
    assert len(desk.html(page, blocks=False).html) == 100_000


def test_a_page_that_is_never_calm_is_read_when_its_time_is_up(desk, monkeypatch):
    monkeypatch.setattr(desk._browser, "_limits", RenderLimits(seconds=10))
    rendered = desk.html("<p>first</p><script>setInterval(() => (app.id = 'app'), 10)</script>")
    assert texts(rendered) == ["first"]


# Blocks

LOOK = """<!doctype html><html><head><title>Look</title><style>
  body { margin: 0; font: 16px/20px monospace }
  .lead { font-size: 24px; line-height: 30px; width: 400px; color: rgb(1, 2, 3) }
  .menu { display: none }  .ghost { opacity: 0 }  .away { position: absolute; left: -5000px }
  .same { color: #eee; background: #eee }  .tiny { font-size: 0 }
  .clip { position: absolute; clip: rect(0 0 0 0); overflow: hidden; width: 1px; height: 1px }
  .fade { opacity: 0; transition: opacity 1s }  .vain { visibility: hidden }
  .hero { color: #fff; background-image: linear-gradient(black, black) }
</style></head><body class="home"><div id="main" style="padding-top: 100px">
<p id="first" class="lead big" style="margin: 0">Read this <a href="/on">line</a></p>
<h2>Part</h2>loose text<p>inner</p>after it</div>
<form id="f"><input name="id"><input name="parentNode"><input name="style">in a form</form>
<p class="menu">menu</p><p class="ghost">ghost</p><p class="away">away</p><p class="same">same</p>
<p class="tiny">tiny</p><p class="clip">clip</p><p class="vain">vain <b style="visibility:
visible">not in vain</b></p><p hidden>attribute</p><p class="fade">fades in</p>
<p class="hero">on a picture</p><details><summary>More</summary>folded</details>
<script>1</script></body></html>"""
HIDDEN = ["menu", "ghost", "away", "same", "tiny", "clip", "attribute", "folded"]


@pytest.fixture(scope="module")
def look(desk):
    return desk.html(LOOK, "http://look.example/")


def test_a_block_has_its_place_its_look_and_its_element(look):
    block = look.blocks[0]
    assert block.text == "Read this line"
    assert block.tag_path == "html/body/div/p"
    assert block.selectors == "html > body.home > div#main > p#first.lead.big"
    assert (block.element_id, block.classes, block.style) == ("first", "lead big", "margin: 0")
    assert block.html == '<p id="first" class="lead big" style="margin: 0">' + (
        'Read this <a href="/on">line</a></p>'
    )
    assert block.link_density == pytest.approx(4 / 14)
    assert (block.bounds.x, block.bounds.height) == (0, pytest.approx(27, abs=4))
    assert 100 <= block.bounds.y < 105
    assert 150 < block.bounds.width < 300
    assert (block.css["color"], block.css["width"]) == ("rgb(1, 2, 3)", "400px")
    assert set(block.css) == {*TEXT_PROPERTIES, *BOX_PROPERTIES}
    assert all(block.css.values())
    assert (block.heading, block.is_hidden) == ("", False)


def test_blocks_are_labelled_as_the_parser_labels_them(desk):
    body = "<p>The ferry leaves the harbour at seven, and comes back in the evening.</p>" * 8
    rendered = desk.html(
        f"<title>Ferries in winter</title><nav><a href=/>Home</a></nav><article>"
        f"<h1>Ferries in winter</h1>{body}</article><p hidden>Ferries in winter</p>"
    )
    assert [block.label for block in rendered.blocks] == (
        ["other", "title", *["content"] * 8, "other"]
    )
    document = extract_drawn(rendered)
    assert document.title == "Ferries in winter"
    assert document.blocks == rendered.blocks


def test_lines_between_blocks_are_blocks_with_the_heading_above(look):
    lines = {block.text: block for block in look.blocks}
    assert lines["loose text"].html == '<div id="main" style="padding-top: 100px">loose text</div>'
    assert lines["after it"].heading == lines["inner"].heading == "Part"
    assert lines["loose text"].bounds.y < lines["inner"].bounds.y < lines["after it"].bounds.y
    assert lines["in a form"].selectors == "html > body.home > form#f"


def test_the_browser_tells_what_cannot_be_seen(look):
    assert texts(look, hidden=True) == HIDDEN
    assert {"vain not in vain", "fades in", "on a picture"} <= set(texts(look))


def test_what_cannot_be_seen_is_not_read_from_the_rendered_page(look):
    text = telusur.extract(look.html, content="text").text
    seen = set(text.split("\n"))
    assert not seen & (set(HIDDEN) - {"folded"})
    assert {"not in vain", "fades in", "on a picture"} <= seen


def test_browser_and_parser_have_one_notion_of_a_block(desk):
    html = "".join(
        f"<div>a{n}<span>b <b>c</b></span><ul><li>d<br>e<li><a href=/>f<p>g</a>h</ul>"
        "<table><tr><td>i<td> j </table><pre> k\n  l</pre>m</div>"
        for n in range(3)
    )
    static = [(block.text, block.tag_path) for block in telusur.extract(html).blocks]
    drawn = desk.html(html).blocks
    assert [(block.text, block.tag_path) for block in drawn] == static


# Wrong use


def test_what_is_missing_is_said_in_words():
    assert why_no_browser() == ""
    assert "/no/such is no program" in why_no_browser("/no/such")
    with pytest.raises(UsageError, match="Rendering is not possible: /no/such"):
        render_html("<p>x", browser="/no/such")


def test_what_is_no_address_and_what_does_not_answer(desk, forbidden):
    with pytest.raises(UsageError, match="is not a web address"):
        desk.page("no address")
    assert desk.page(forbidden.url("/")).reason == "private address: 127.0.0.1"


@pytest.mark.slow
def test_pages_frames_and_parts_are_never_unpacked_in_the_event_loop(desk, site, monkeypatch):
    places, real = [], browser_gate.decode_content

    def noting(*args):
        places.append(asyncio._get_running_loop() is not None)
        return real(*args)

    monkeypatch.setattr(browser_gate, "decode_content", noting)
    packed = gzip.compress(b"app.textContent = 'from a packed script'")
    site.pages["/packed.js"] = Answer(packed, headers={**SCRIPT, "Content-Encoding": "gzip"})
    site.pages["/frame"] = "<p>of the frame"
    site.pages["/packed"] = (
        "<p id=app></p><iframe src=/frame></iframe><script src=/packed.js></script>"
    )
    assert texts(desk.page(site.url("/packed")))[0] == "from a packed script"
    assert places == [False] * 3
