import pytest

from telusur.errors import CollectionError, UsageError
from telusur.web.paperdoll.doll import PaperDoll


class Sick(PaperDoll):
    """A collection that fails in the way it is asked for."""

    def answer(self, request):
        failures = {"usage": UsageError, "broken": CollectionError, "bug": ZeroDivisionError}
        raise failures[request.query]("the words of the failure")


ROADS = [
    ("/nope", "GET", 404),
    ("/static/nope.css", "GET", 404),
    ("/page?url=https://unheard.example/", "GET", 404),
    ("/page", "GET", 400),
    ("/copy", "GET", 400),
    ("/copy?url=https://unheard.example/", "GET", 404),
    ("/copy/content?url=https://unheard.example/", "GET", 404),
    ("/search?q=x&page=0", "GET", 400),
    ("/search?q=x&limit=101", "GET", 400),
    ("/search?q=" + "x" * 2001, "GET", 400),
    ("/search?q=x", "POST", 405),
    ("/", "DELETE", 405),
]


def assert_shape(answer, status):
    assert answer.status == status
    problem = answer.json
    assert list(problem) == ["ok", "error", "errors", "status"]
    assert problem["ok"] is False
    assert problem["status"] == status
    assert problem["error"] == " ".join(problem["errors"])
    assert problem["error"]


@pytest.mark.parametrize(("path", "method", "status"), ROADS)
def test_one_shape_for_programs_that_ask_for_json(workbench, path, method, status):
    assert_shape(workbench.get(path, method, Accept="application/json"), status)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nope.json", "GET", 404),
        ("/search.json?q=x&page=0", "GET", 400),
        ("/search.json?q=x&limit=1000", "GET", 400),
        ("/page.json", "GET", 400),
        ("/page.json?url=https://unheard.example/", "GET", 404),
        ("/sites.json", "POST", 405),
        ("/suggest.json?limit=51", "GET", 400),
        ("/suggest?limit=0", "GET", 400),
        ("/search.rss?limit=x", "GET", 400),
        ("/opensearch.xml", "POST", 405),
        ("/openapi.json", "PUT", 405),
        ("/-/versions.json", "PUT", 405),
    ],
)
def test_one_shape_on_every_json_road(workbench, path, method, status):
    assert_shape(workbench.get(path, method), status)


def test_one_shape_for_a_stranger(workbench):
    assert_shape(workbench.get("/search.json?q=x", Host="evil.example"), 421)


@pytest.mark.parametrize(("path", "method", "status"), ROADS)
def test_people_get_a_page(workbench, path, method, status):
    answer = workbench.get(path, method, Accept="text/html")
    assert answer.status == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f'<p class="problem-code" aria-hidden="true">{status}</p>' in answer.text
    assert 'href="/"' in answer.text


def test_a_wrong_method_is_told_the_right_one(workbench):
    assert "GET" in workbench.get("/search", "POST").headers["allow"]


def test_the_query_is_not_lost_with_the_mistake(workbench):
    assert 'value="tide"' in workbench.get("/search?q=tide&page=0").text


@pytest.mark.parametrize(("query", "status"), [("usage", 400), ("broken", 503)])
def test_what_telusur_raises_is_told_in_its_own_words(show, query, status):
    answer = show(Sick([], [])).get(f"/search.json?q={query}")
    assert_shape(answer, status)
    assert answer.json["error"] == "the words of the failure"


def test_a_bug_tells_nothing_of_our_insides(show):
    running = show(Sick([], []))
    answer = running.get("/search.json?q=bug")
    assert_shape(answer, 500)
    assert "words of the failure" not in answer.text
    assert "content-security-policy" in answer.headers
    assert running.get("/search?q=bug").status == 500
    assert running.get("/status.json").status == 200
