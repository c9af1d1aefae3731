import telusur
from telusur.models import Counts, Hit, SearchResults
from telusur.web.paperdoll import PaperDoll


class BrokenText(PaperDoll):
    """A collection whose hit carries what no encoding can."""

    def search(self, query, page=1, limit=10):
        hit = Hit("http://e.example/\ud800", "\udfff", "a\ud800b", 1.0, ((0, 1),), "s\ud800")
        return SearchResults(query, 1, (hit,), page, limit)

    def sites(self, limit=50):
        return [("s\ud800", 1)]

    def counts(self):
        return Counts(done=1, documents=1)


def test_search(workbench):
    found = workbench.get("/search.json?q=tide+clock&limit=2").json
    assert list(found) == [
        "ok", "query", "understood", "did_you_mean", "total", "page", "limit", "seconds", "hits",
        "next_url",
    ]  # fmt: skip
    assert (found["query"], found["page"], found["limit"]) == ("tide clock", 1, 2)
    hit = found["hits"][0]
    assert list(hit) == [
        "url", "title", "snippet", "marks", "score", "site", "language", "date",
    ]  # fmt: skip
    marked = [hit["snippet"][start:end].lower() for start, end in hit["marks"]]
    assert marked
    assert set(marked) <= {"tide", "clock"}


def test_next_url_walks_to_the_end(workbench):
    urls = []
    path = "/search.json?q=clock&limit=30"
    while path:
        found = workbench.get(path).json
        urls += [hit["url"] for hit in found["hits"]]
        path = found["next_url"]
        if path:
            assert path.startswith(workbench.url)
            path = path.removeprefix(workbench.url)
    assert len(urls) == len(set(urls)) == found["total"]


def test_an_empty_query_finds_nothing(workbench):
    found = workbench.get("/search.json").json
    assert (found["ok"], found["total"], found["hits"]) == (True, 0, [])
    assert found["next_url"] is None


def test_page(workbench):
    known = workbench.get("/page.json?url=https://lexikon.example/de/artikel/Gezeitenuhr").json
    assert known["document"]["title"] == "Gezeitenuhr"
    assert known["document"]["page_type"] == "article"
    assert known["document"]["fields"] == {"shelf": 7}
    assert known["story"]["state"] == "done"
    assert known["story"]["events"][-1]["status"] == 200


def test_page_without_document(workbench):
    known = workbench.get("/page.json?url=https://www.harbour-post.example/archive/1961/storm").json
    assert known["document"] is None
    assert (known["story"]["state"], known["story"]["reason"]) == ("failed", "http: 404")


def test_sites(workbench):
    sites = workbench.get("/sites.json").json["sites"]
    assert sites[0] == {"site": "tinkers.example", "documents": 63}
    assert [row["documents"] for row in sites] == sorted(
        (row["documents"] for row in sites), reverse=True
    )


def test_status(workbench):
    status = workbench.get("/status.json").json
    assert status["version"] == telusur.__version__
    assert status["is_crawling"] is False
    assert status["found"] == status["done"] + status["failed"] + status["skipped"]


def test_versions(workbench):
    versions = workbench.get("/-/versions.json").json
    assert versions["telusur"] == telusur.__version__
    assert {"python", "sqlite", "starlette", "tantivy"} <= set(versions)


def test_text_no_encoding_can_carry_is_sent_all_the_same(show):
    running = show(BrokenText([], []))
    assert running.get("/search.json?q=x").json["hits"][0]["snippet"] == "a?b"
    assert running.get("/search?q=x").status == 200
    assert running.get("/").status == 200
    assert running.get("/sites").status == 200
