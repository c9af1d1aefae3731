from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

from telusur.models import Hit, SearchResults
from telusur.web.paperdoll.doll import PaperDoll

OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
ATOM = "{http://www.w3.org/2005/Atom}"


class OddHits(PaperDoll):
    """A collection whose hit has what XML cannot carry, and markup in its texts."""

    def answer(self, request):
        hit = Hit(
            "javascript:alert(1)", "<b>\x00]]>\ufffe\ud800 & co", "a <script> & \x0b b", 1.0,
            ((0, 1),), "s", date="not a date", fetched_at=86400.0,
        )  # fmt: skip
        return SearchResults(request.query, 1, (hit,), request.page, request.limit)


def read_feed(answer):
    assert answer.headers["content-type"] == "application/rss+xml"
    root = ElementTree.fromstring(answer.body)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    return root.find("channel")


def test_a_query_is_a_feed(workbench):
    channel = read_feed(workbench.get("/search.rss?q=tide+clock&limit=3"))
    assert channel.findtext("title") == "tide clock · paper-doll"
    assert channel.findtext("link") == f"{workbench.url}/search?q=tide+clock"
    assert channel.findtext("description")
    own = channel.find(f"{ATOM}link").get("href")
    assert own.startswith(workbench.url)
    assert workbench.get(own.removeprefix(workbench.url)).status == 200
    items = channel.findall("item")
    assert 0 < len(items) <= 3
    item = items[0]
    address = "https://www.harbour-post.example/science/2026/03/tide-clocks"
    assert item.findtext("link") == item.findtext("guid") == address
    assert item.find("guid").get("isPermaLink") == "false"
    assert "<b>clock</b>" in item.findtext("description")
    assert parsedate_to_datetime(item.findtext("pubDate")).isoformat()[:10] == "2026-03-14"


def test_an_empty_feed_is_a_feed(workbench):
    assert read_feed(workbench.get("/search.rss?q=zyxwvut")).findall("item") == []
    assert read_feed(workbench.get("/search.rss")).findall("item") == []


def test_odd_texts_leave_the_feed_well_formed(show):
    item = read_feed(show(OddHits([], [])).get("/search.rss?q=%01%3C")).find("item")
    assert item.findtext("description") == "<b>a</b> &lt;script&gt; &amp; \ufffd b"
    assert item.findtext("link").startswith("http://127.0.0.1")
    assert item.findtext("pubDate") == "Fri, 02 Jan 1970 00:00:00 +0000"


def test_results_announce_their_feed(workbench):
    text = workbench.get("/search?q=tide+clock").text
    assert 'href="/search.rss?q=tide+clock" type="application/rss+xml"' in text


def test_a_browser_can_add_the_collection(workbench):
    answer = workbench.get("/opensearch.xml")
    assert answer.headers["content-type"].startswith("application/opensearchdescription+xml")
    described = ElementTree.fromstring(answer.body)
    assert described.tag == f"{OPENSEARCH}OpenSearchDescription"
    assert len(described.findtext(f"{OPENSEARCH}ShortName")) <= 16
    ways = {way.get("type"): way.get("template") for way in described.iter(f"{OPENSEARCH}Url")}
    for kind, template in ways.items():
        path = template.removeprefix(workbench.url).replace("{searchTerms}", "tide")
        path = path.replace("{startPage?}", "").replace("{count?}", "5")
        answered = workbench.get(path)
        assert answered.status == 200
        assert answered.headers["content-type"].startswith(kind)
    assert "application/x-suggestions+json" in ways


def test_suggestions_as_browsers_want_them(workbench):
    query, texts, told, addresses = workbench.get("/suggest?q=harb").json
    assert query == "harb"
    assert "harbour" in texts
    assert len(texts) == len(told) == len(addresses)
    assert all(address.startswith(f"{workbench.url}/search?q=") for address in addresses)
    assert workbench.get("/suggest").json == ["", [], [], []]


def test_suggestions_as_json(workbench):
    found = workbench.get("/suggest.json?q=harb&limit=2").json
    assert (found["ok"], found["query"]) == (True, "harb")
    assert len(found["suggestions"]) == 2
    assert list(found["suggestions"][0]) == ["text", "kind", "documents", "url"]
    # A blank behind the word says that it is complete.
    assert workbench.get("/suggest.json?q=harbour+").json["suggestions"] == []
