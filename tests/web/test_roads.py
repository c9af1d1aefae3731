"""Every road of every kind of server: none of them ends in a bug."""

from urllib.parse import urlencode

import pytest

from telusur.shelf import Shelf
from telusur.web.crawls.roads import CRAWL_ROADS, SHELF_ROADS
from telusur.web.guard.access import Access
from telusur.web.guard.roads import KEY_ROADS, LOGIN_ROADS, LOGOUT_ROADS
from telusur.web.page.roads import LABEL_ROADS
from telusur.web.roads import ROADS
from tests.sites import page, serving
from tests.web.api.test_openapi import EXAMPLES
from tests.web.conftest import crawl_aside, run_workbench

ALL = (*ROADS, *LABEL_ROADS, *CRAWL_ROADS, *SHELF_ROADS, *LOGIN_ROADS, *KEY_ROADS, *LOGOUT_ROADS)
PASSWORD = "open sesame"
KINDS = {
    "without the key": (Access(), False),
    "with the key": (Access(), True),
    "read-only": (Access(read_only=True), False),
    "open to all": (Access(open_to_all=True), False),
    "password": (Access(password=PASSWORD), True),
    "read-only with a password": (Access(password=PASSWORD, read_only=True), True),
}


def paths_of(road, name, url):
    """Return a road as a link would have it, and with nothing asked."""
    examples = EXAMPLES | {"url": url, "selected": url, "around": url, "state": "done"}
    examples |= {"view": "original" if road.path.startswith("/copy") else "pages", "reason": ""}
    asked = {one.name: examples[one.name] for one in road.params if one.place == "query"}
    path = road.path.replace("{name}", name)
    return [path, f"{path}?{urlencode(asked)}"] if asked else [path]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A small collection, and a page of it."""
    directory = tmp_path_factory.mktemp("roads") / "small"
    pages = {"/robots.txt": "", "/": page("Home", links=["/a", "/gone"]), "/a": page("Clock")}
    with serving(pages) as site:
        crawl_aside(directory, site.url(), render="never")
    return directory, site.url("/a")


IN_SHORT = ("without the key", "read-only", "password")


@pytest.fixture(
    scope="module",
    params=[
        kind if kind in IN_SHORT else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS
    ],
)
def place(request, crawled):
    """A visitor of a server, the name of its collection, and its rules."""
    access, has_key = KINDS[request.param]
    with (
        Shelf(crawled[0]) as shelf,
        run_workbench(shelf.open(shelf.names()[0]), crawls=shelf, access=access) as running,
    ):
        visitor = running.visit_without_key()
        if has_key:
            visitor.get(f"/?key={access.key}")
        yield visitor, shelf.names()[0], access


def test_no_road_ends_in_a_bug(place, crawled):
    visitor, name, access = place
    answered = 0
    for road in ALL:
        for path in paths_of(road, name, crawled[1]):
            for accept in ("text/html", "application/json"):
                method = road.methods[0]
                if method == "POST" and "logout" in path:
                    continue
                send = {"GET": visitor.get, "POST": lambda p, **m: visitor.send(p, {}, **m)}[method]
                answer = send(path, Accept=accept)
                assert answer.status < 500, (method, path, answer.text[:300])
                answered += answer.status == 200
    assert answered > 60
    if access.read_only:
        assert all(visitor.send(road.path, {}).status in (404, 405) for road in LABEL_ROADS)


def test_a_page_is_shown_where_nobody_may_act(place, crawled):
    visitor, _, access = place
    answer = visitor.get("/page?" + urlencode({"url": crawled[1]}))
    assert answer.status == 200
    assert ("Relevant to the topic?" in answer.text) is not access.read_only


@pytest.mark.parametrize("kind", ["without the key", "read-only"])
def test_nothing_is_done_for_whoever_may_not_act(kind, crawled):
    access, refusals = KINDS[kind][0], {"without the key": (403,), "read-only": (404, 405)}[kind]
    acting = [road for road in (*LABEL_ROADS, *CRAWL_ROADS) if road.methods == ("POST",)]
    assert len(acting) == 6
    with (
        Shelf(crawled[0]) as shelf,
        run_workbench(shelf.open(shelf.names()[0]), crawls=shelf, access=access) as running,
    ):
        visitor = running.visit_without_key()
        visitor.get("/crawls/new")
        for road in acting:
            for accept in ("text/html", "application/json"):
                path = road.path.replace("{name}", shelf.names()[0])
                answer = visitor.send(path, {"url": crawled[1]}, Accept=accept)
                assert answer.status in refusals, road.path
