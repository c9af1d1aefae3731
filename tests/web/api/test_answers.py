from dataclasses import fields

import pytest

import telusur
from telusur.document_table import HIT_FIELDS
from telusur.models import Counts, Document, Hit, SearchResults
from telusur.web.paperdoll.doll import PaperDoll
from tests.sites import wait_until


class BrokenText(PaperDoll):
    """A collection whose hit carries what no encoding can."""

    def answer(self, request):
        hit = Hit("http://e.example/\ud800", "\udfff", "a\ud800b", 1.0, ((0, 1),), "s\ud800")
        return SearchResults(request.query, 1, (hit,), request.page, request.limit)

    def sites(self, limit=50):
        return [("s\ud800", 1)]

    def counts(self):
        return Counts(done=1, documents=1)


def test_search(workbench):
    found = workbench.get("/search.json?q=tide+clock&limit=2").json
    assert set(found) == {
        *(each.name for each in fields(SearchResults)),
        "ok", "per_site", "group", "model", "next_url",
    }  # fmt: skip
    assert (found["query"], found["page"], found["limit"]) == ("tide clock", 1, 2)
    hit = found["hits"][0]
    assert list(hit) == [
        "url", "title", "snippet", "score", "marks", "site", "fetched_at",
        *(field.name for field in HIT_FIELDS), "more_from_site", "duplicates", "explanation",
    ]  # fmt: skip
    assert {"language", "date", "page_type"} <= set(hit)
    marked = [hit["snippet"][start:end].lower() for start, end in hit["marks"]]
    assert marked
    assert set(marked) <= {"tide", "clock"}


def test_hits_have_the_fields_of_their_documents(demo_copy, show):
    added = Document("https://coast.example/", "Lighthouse", text="The lighthouse of the harbour.")
    added.image, added.reading_minutes = "https://coast.example/tower.jpg", 3
    with telusur.open(demo_copy) as collection:
        collection.add([added])
        answer = show(collection).get("/search.json?q=lighthouse+harbour&limit=50").json
        documents = [collection.document(hit["url"]) for hit in answer["hits"]]
    for name in (field.name for field in HIT_FIELDS):
        found = [hit[name] for hit in answer["hits"]]
        assert found == [getattr(document, name) for document in documents], name
        assert len(set(found)) > 1, name


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
    libraries = {"jinja2", "pycurl", "starlette", "tantivy", "turbohtml", "uvicorn"}
    assert set(versions) == {"ok", "telusur", "python", "sqlite"} | libraries, "what a user runs"


def test_text_no_encoding_can_carry_is_sent_all_the_same(show):
    running = show(BrokenText([], []))
    assert running.get("/search.json?q=x").json["hits"][0]["snippet"] == "a?b"
    assert running.get("/search?q=x").status == 200
    assert running.get("/").status == 200
    assert running.get("/sites").status == 200


def test_all_wishes(workbench):
    wishes = "per_site=2&group=site&facets=site,year&explain=true&model=tfidf&as_of=1790000000.5"
    found = workbench.get(f"/search.json?q=tide&{wishes}").json
    assert (found["per_site"], found["group"], found["model"]) == (2, "site", "tfidf")
    assert found["as_of"] == 1790000000.5
    assert found["facets"]["site"][0]["count"] >= 1
    assert list(found["facets"]) == ["site", "year"]
    assert found["hits"][0]["explanation"]["details"][0]["description"]


def test_pages_fit_together_while_the_collection_grows(show, tmp_path):
    def document(name, number):
        text = f"tea and cup number {number} " + "leaf " * number
        return Document(f"https://{name}.example/{number}", f"{name} {number}", text=text)

    def wait_for(documents):
        wait_until(lambda: collection.count_indexed() >= documents)
        assert collection.count_indexed() == documents

    with telusur.open(tmp_path / "c") as collection:
        collection.add(document("old", number) for number in range(25))
        running = show(collection)
        first = running.get("/search.json?q=tea&limit=10&per_site=0").json
        shown = [hit["url"] for hit in first["hits"]]
        path = first["next_url"]
        for round_number in range(2):
            collection.add(document("new", 100 * round_number + n) for n in range(30))
            wait_for(25 + 30 * (round_number + 1))
            following = running.get(path.removeprefix(running.url)).json
            assert following["as_of"] == pytest.approx(first["as_of"], abs=0.002)
            assert following["total"] == 25
            shown += [hit["url"] for hit in following["hits"]]
            path = following["next_url"]
        assert path is None
        assert sorted(shown) == sorted(f"https://old.example/{n}" for n in range(25))
        assert running.get("/search.json?q=tea").json["total"] == 85
        page = running.get(f"/search?q=tea&as_of={following['as_of']}").text
        assert f"page=2&amp;as_of={following['as_of']:.3f}" in page


def test_the_last_page_is_within_reach(show):
    class Endless(PaperDoll):
        def answer(self, request):
            hits = (Hit("http://e.example/", "t", "s", 1.0),) * request.limit
            return SearchResults(request.query, 10**9, hits, request.page, request.limit)

    running = show(Endless([], []))
    assert running.get("/search.json?q=x&limit=100&page=100").json["next_url"] is not None
    assert running.get("/search.json?q=x&limit=100&page=101").json["next_url"] is None
    assert running.get("/search.json?q=x&limit=100&group=site").json["next_url"] is None


def test_related(workbench):
    page = workbench.get("/search.json?q=tide+clock&limit=1").json["hits"][0]["url"]
    found = workbench.get(f"/related.json?url={page}&limit=3").json
    assert found["ok"] is True
    urls = [hit["url"] for hit in found["hits"]]
    assert len(urls) == 3
    assert page not in urls
    shown = workbench.get(f"/page?url={page}").text
    assert "Related pages" in shown
    assert found["hits"][0]["title"] in shown


def test_what_is_not_stored_has_no_relatives(workbench):
    answer = workbench.get("/related.json?url=https://nowhere.example/")
    assert answer.status == 400
    assert "does not have this page" in answer.json["error"]
