import io
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

from telusur.reports import pull_text
from tests.extract.threads.test_comments import PAGE as WITH_COMMENTS
from tests.extract.writing.test_formats import ARTICLE
from tests.sites import Answer, serving


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "mill.html"
    path.write_text(ARTICLE)
    return path


def test_a_file_is_shown_as_text(telusur, page):
    ran = telusur("extract", page)
    assert ran.code == 0
    assert ran.out.startswith("The tide comes in twice a day")
    assert "Shop" not in ran.out


def test_formats(telusur, page):
    assert telusur("extract", page, "--format", "markdown").out.startswith("# The tide mill\n\n")
    written = telusur("extract", page, "--format", "xml", "--url", "http://a.example/x").out
    assert ElementTree.fromstring(written.encode()).get("url") == "http://a.example/x"
    assert telusur("extract", page, "--format", "html").out.startswith("<!DOCTYPE html>")


def test_comments_are_shown_on_request(telusur, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(WITH_COMMENTS, "utf-8")
    ran = telusur("extract", path, "--comments", "--format", "markdown")
    assert "## Comments\n\n[**Reader 1**](http://b1.example/), 2024-05-01 09:01\n" in ran.out
    assert "Reader 1" not in telusur("extract", path).out
    record = json.loads(telusur("extract", path, "--comments", "--json").out)
    assert [each["author"] for each in record["comments"]] == ["Reader 1", "Reader 2", "Reader 3"]


def test_several_files_are_json_lines_and_one_that_is_missing_is_told(telusur, page):
    ran = telusur("extract", page, "missing.html", page, "--json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert [record["source"] for record in records] == [str(page), str(page)]
    assert records[0]["title"] == "The tide mill"
    assert ran.err == "missing.html: cannot be read: No such file or directory.\n"
    assert ran.code == 0


def test_all_visible_text(telusur, page):
    assert "Shop" in telusur("extract", page, "--content", "text").out


def test_standard_input(telusur, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ARTICLE.encode())))
    assert telusur("extract", "-").out.startswith("The tide comes in")


def test_blocks_have_their_labels_and_their_path(telusur, page):
    rows = telusur("extract", page, "--blocks").out.splitlines()
    heads = [row for row in rows if not row.startswith(" ")]
    assert any(row.startswith("content p ") for row in heads)
    paths = [row.split()[-1] for row in rows if row.startswith(" ")]
    assert [row.split()[1] for row in heads] == paths, "each ends at its own element"
    records = [
        json.loads(row) for row in telusur("extract", page, "--blocks", "--json").out.splitlines()
    ]
    assert len(records) == len(heads) == len(paths)
    assert {record["type"] for record in records} == {"block"}


SEA = "The tide comes in twice a day, and the wheel of the old mill turns with it. "
DRAWN = f"""<!doctype html><title>The mill</title>
<style>body {{margin: 0}} .lead {{width: 300px; color: rgb(1, 2, 3)}} .off {{display: none}}</style>
<div id=root></div><p class=off>nobody sees this</p><script>root.innerHTML =
`<h1>The mill</h1><p id=first class="lead wide">{SEA * 3}</p><p>{SEA * 4}</p>`</script>"""


@pytest.mark.slow
def test_blocks_of_a_browser_have_label_bounds_css_and_html(telusur, tmp_path):
    (tmp_path / "app.html").write_text(DRAWN)
    ran = telusur("extract", "app.html", "--blocks", "--render", "always", "--json")
    title, first, _, hidden = map(json.loads, ran.out.splitlines())
    assert (title["label"], title["text"]) == ("title", "The mill")
    assert (first["label"], first["element_id"], first["classes"]) == (
        "content", "first", "lead wide",
    )  # fmt: skip
    assert first["text"] == (SEA * 3).strip()
    assert first["tag_path"] == "html/body/div/p"
    assert first["selectors"] == "html > body > div#root > p#first.lead.wide"
    assert first["bounds"]["y"] > title["bounds"]["y"]
    assert 200 < first["bounds"]["width"] <= 300
    assert (first["css"]["color"], first["css"]["width"]) == ("rgb(1, 2, 3)", "300px")
    assert first["html"].startswith('<p id="first" class="lead wide">The tide')
    assert (hidden["label"], hidden["is_hidden"]) == ("other", True)


@pytest.mark.slow
def test_blocks_of_a_browser_can_be_read_by_a_person(telusur, tmp_path):
    (tmp_path / "app.html").write_text(DRAWN)
    shown = telusur("extract", "app.html", "--blocks", "--render", "always").out
    rows = shown.splitlines()
    (at,) = (number for number, row in enumerate(rows) if row.endswith("p#first.lead.wide"))
    assert rows[at - 1].startswith("content p          The tide comes in")
    assert re.fullmatch(r" +at 0, [\d.]+, [\d.]+ wide, [\d.]+ high", rows[at + 1])
    assert "color: rgb(1, 2, 3); " in rows[at + 2]
    assert "float" not in rows[at + 2], "what CSS begins with is not told"
    assert rows[-2].endswith("0 wide, 0 high, hidden")
    assert "<p" not in shown
    raw = telusur("extract", "app.html", "--blocks", "--render", "always", "--raw-html").out
    assert raw.splitlines()[-1] == '        <p class="off">nobody sees this</p>'
    written = telusur("extract", "app.html", "--blocks", "--render", "always", "--format", "xml")
    block = ElementTree.fromstring(written.out.encode()).findall("blocks/block")[1]
    assert (block.get("label"), float(block.get("width")) <= 300) == ("content", True)


@pytest.mark.slow
def test_auto_draws_a_file_only_if_it_is_empty_without_scripts(telusur, tmp_path, page):
    (tmp_path / "app.html").write_text(DRAWN.replace("nobody sees this", ""))
    ran = telusur("extract", "app.html", page, "--blocks", "--render", "auto", "--json")
    records = [json.loads(row) for row in ran.out.splitlines()]
    drawn = {record["source"] for record in records if "bounds" in record}
    assert {record["source"] for record in records} == {"app.html", str(page)}
    assert drawn == {"app.html"}


def test_pattern(telusur, page):
    assert telusur("extract", page, "--pattern", "twice a (day)").out == "day\n" * 9
    ran = telusur("extract", page, "--pattern", "(?P<what>wheel) of", "--json")
    first = json.loads(ran.out.splitlines()[0])
    assert (first["match"], first["groups"]) == ("wheel of", {"what": "wheel"})
    assert telusur("extract", page, "--pattern", "no such words").code == 1


def test_a_pattern_that_never_ends_is_stopped(telusur, tmp_path, monkeypatch):
    monkeypatch.setattr(pull_text, "MATCH_SECONDS", 0.2)
    (tmp_path / "a.html").write_text("<p>" + "a" * 60 + "!</p>")
    ran = telusur("extract", "a.html", "--pattern", "(a+)+$")
    assert ran.code == 1
    assert ran.err == "a.html: skipped: matching the pattern takes longer than 5 s.\n"


def test_a_url_is_fetched_once_and_redirects_are_followed(telusur):
    pages = {
        "/old": Answer("", 301, {"Location": "/mill"}),
        "/mill": ARTICLE,
        "/notes": Answer("<b> is not bold\n  here", headers={"Content-Type": "text/plain"}),
    }
    with serving(pages) as site:
        ran = telusur("extract", site.url("/old"), "--json", "--allow-private")
        plain = telusur("extract", site.url("/notes"), "--allow-private")
        gone = telusur("extract", site.url("/gone"), "--allow-private")
        assert [request.path for request in site.requests] == ["/old", "/mill", "/notes", "/gone"]
        assert site.requests[0].headers["User-Agent"].startswith("Telusur/")
    assert json.loads(ran.out)["url"] == site.url("/mill")
    assert plain.out == "<b> is not bold\n  here\n"
    assert (gone.code, gone.err) == (1, f"{site.url('/gone')}: the server answered 404.\n")


def test_endless_redirects_end(telusur):
    with serving({}, otherwise=lambda path: Answer("", 302, {"Location": path + "x"})) as site:
        ran = telusur("extract", site.url("/"), "--allow-private")
        assert len(site.requests) == 6
    assert "too many redirects" in ran.err
    assert ran.code == 1


def test_private_addresses_need_a_word(telusur):
    with serving({"/": ARTICLE}) as site:
        ran = telusur("extract", site.url("/"))
        assert site.requests == []
    assert ran.code == 1
    assert "add --allow-private if you mean it" in ran.err


SHELL = (
    "<title>Tides</title><div id=root></div><script src=/app.js></script>"
    "<noscript>You need to enable JavaScript to run this app.</noscript>"
)
APP = "document.getElementById('root').innerHTML = '<h2>Ebb</h2><p>made by a script</p>'"


def test_a_page_made_by_a_script_is_loaded_in_a_browser(telusur):
    script = Answer(APP, headers={"Content-Type": "text/javascript"})
    with serving({"/": SHELL, "/app.js": script}) as site:
        ran = telusur("extract", site.url("/"), "--allow-private", "--format", "markdown")
        assert [request.path for request in site.requests] == ["/", "/app.js"]
        bare = telusur("extract", site.url("/"), "--allow-private", "--render", "never")
    assert ran.out == "# Tides\n\n## Ebb\n\nmade by a script\n"
    assert "made by a script" not in bare.out


@pytest.mark.slow
def test_a_file_is_loaded_in_a_browser_when_asked_for(telusur, tmp_path):
    (tmp_path / "app.html").write_text(f"<div id=root></div><script>{APP}</script>")
    assert telusur("extract", "app.html", "--render", "always").out == "Ebb\nmade by a script\n"


def test_always_needs_a_browser_and_auto_says_what_is_missing(telusur, tmp_path, monkeypatch):
    (tmp_path / "app.html").write_text(SHELL)
    monkeypatch.setenv("TELUSUR_BROWSER", "no-such-browser")
    ran = telusur("extract", "app.html", "--render", "always")
    assert (ran.code, "--render always: no-such-browser is no program" in ran.err) == (2, True)
    with serving({"/": SHELL}) as site:
        ran = telusur("extract", site.url("/"), "--allow-private")
    assert "not loaded in a browser: no-such-browser is no program that can be run.\n" in ran.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.html"], "missing.html cannot be read: No such file or directory."),
        (["."], ". cannot be read: Is a directory."),
        (["http://"], "'http://' is not a web address."),
        (["a", "--url", "nowhere"], "--url: 'nowhere' is not a web address."),
        (["a", "--pattern", "("], "'(' is not a regular expression: missing ), unterminated"),
        (["a", "--json", "--format", "xml"], "--json and --format xml do not go together."),
        (["a", "--blocks", "--raw-html"], "--raw-html needs rendered blocks"),
        (["a", "b", "--format", "html"], "--format html is one document; name one page"),
        ([], "Missing argument"),
        (["a", "--format", "pdf"], "'pdf' is not one of"),
    ],
)
def test_wrong_use_is_one_sentence(telusur, arguments, sentence):
    ran = telusur("extract", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_binary_data_is_no_page(telusur, tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    ran = telusur("extract", "a.png")
    assert (ran.code, ran.err) == (1, "a.png: this is binary data, not text.\n")


def test_what_a_style_sheet_of_the_site_hides_is_left_out(telusur):
    pages = {
        "/": "<link rel=stylesheet href=/a.css><p>The harbour.<p class=x>zz-hidden",
        "/a.css": Answer(".x { color: #fefefe }", headers={"Content-Type": "text/css"}),
    }
    with serving(pages) as site:
        flags = ("--allow-private", "--render", "never")
        assert telusur("extract", site.url("/"), *flags).out == "The harbour.\n"
        assert "zz-hidden" in telusur("extract", site.url("/"), *flags, "--content", "text").out
        assert site.asked("/a.css") == 1
