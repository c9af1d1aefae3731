"""`telusur show` as a user runs it."""

import json
import shutil

import pytest

from telusur.collection import open_collection
from telusur.document_table import METADATA_FIELDS
from tests.sites import Answer, page, serving

BODY = """<!doctype html><html lang=en><title>Ferries</title><meta name=robots content=index>
<h1>Ferries</h1><form action=/book method=post><input name=port required></form>
<table><tr><th>Port<th>Time<tr><td>North\x1b[31m pier<td>10:15</table>
<ul><li><a href=/map>The map</a></ul><img src=/boat.png alt="A boat" width=80>
<script>start()</script><link rel=stylesheet href=/look.css>"""


@pytest.fixture(scope="module")
def crawled_once(tmp_path_factory):
    directory = tmp_path_factory.mktemp("show") / "c"
    with serving({"/": Answer(BODY), "/map": page("Map")}) as site:
        with open_collection(directory) as collection:
            collection.crawl([site.url()], allow_private=True, delay=0, index=False)
        return directory, site.origin


@pytest.fixture
def crawled(telusur, crawled_once):
    """The site of a collection `c` in the working directory."""
    directory, origin = crawled_once
    shutil.copytree(directory, "c")
    return origin


def test_it_shows_every_part(telusur, crawled):
    ran = telusur("show", f"{crawled}/", "--in", "c")
    assert ran.code == 0
    for line in (
        "metadata", "  title: Ferries", "  meta robots: index", "forms (1)",
        f"  post {crawled}/book", "    port: text, required", "tables (1)", "    Port | Time",
        "    North [31m pier | 10:15", "    - The map", f'  {crawled}/boat.png 80x? "A boat"',
        "  inline, 7 characters", f"  {crawled}/look.css", f'  {crawled}/map "The map"',
    ):  # fmt: skip
        assert line in ran.out.splitlines(), ran.out
    assert "\x1b" not in ran.out


def test_it_shows_the_kind_of_page_and_your_own_fields(telusur, crawled):
    with open_collection("c") as collection:
        stored = collection.document(f"{crawled}/")
    record = json.loads(telusur("show", f"{crawled}/", "--in", "c", "--json").out)
    assert record["metadata"]["page_type"] == stored.page_type != ""
    assert record["fields"] == {}
    stored.fields = {"boats": 3, "ports": ["North", "South"]}
    with open_collection("c") as collection:
        collection.add([stored])
    ran = telusur("show", f"{crawled}/", "--in", "c", "--parts", "metadata,fields")
    lines = ran.out.splitlines()
    assert f"  page_type: {stored.page_type}" in lines
    assert lines[-3:] == ["fields (2)", "  boats: 3", "  ports: ['North', 'South']"]


def test_metadata_are_all_fields_that_are_one_value(telusur, crawled):
    """No list of its own: the table of a document's fields says what there is."""
    record = json.loads(telusur("show", f"{crawled}/", "--in", "c", "--json").out)["metadata"]
    with open_collection("c") as collection:
        stored = collection.document(f"{crawled}/")
    named = {field.name for field in METADATA_FIELDS}
    assert set(record) == {*named, "meta", "structured"}
    assert named >= {"title", "author", "date", "description", "keywords", "canonical", "language",
                     "html5", "page_type", "reading_minutes", "image", "crawl_id"}  # fmt: skip
    assert named.isdisjoint({"url", "text", "headings", "fields", "links", "blocks"})
    assert {name: record[name] for name in named} == {name: getattr(stored, name) for name in named}
    assert record["crawl_id"] == 1
    lines = telusur("show", f"{crawled}/", "--in", "c", "--parts", "metadata").out.splitlines()
    assert {"  html5: True", "  crawl_id: 1"} <= set(lines)
    assert not [line for line in lines if line.endswith((": None", ": False", ": "))]


def test_what_is_stored_of_a_page_is_shown_before_what_it_says(telusur, crawled):
    with open_collection("c") as collection:
        stored = collection.document(f"{crawled}/")
        stored.title, stored.author = "Boats to the islands", None
        collection.add([stored])
    record = json.loads(telusur("show", f"{crawled}/", "--in", "c", "--json").out)["metadata"]
    assert (record["title"], record["html5"]) == ("Boats to the islands", True)


def test_it_shows_the_parts_that_were_asked_for_as_json(telusur, crawled):
    ran = telusur("show", f"{crawled}/", "--in", "c", "--parts", "tables,links", "--json")
    record = json.loads(ran.out)
    assert sorted(record) == ["links", "tables", "type", "url"]
    assert record["tables"][0]["rows"][0] == ["Port", "Time"]
    assert record["links"][0]["anchor"] == "The map"


def test_a_page_that_is_not_there(telusur, crawled):
    ran = telusur("show", f"{crawled}/nowhere", "--in", "c")
    assert (ran.code, ran.out) == (1, "")
    assert "does not have this page" in ran.err
    assert telusur("show", "not a url", "--in", "c").code == 1


def test_a_part_that_there_is_not(telusur, crawled):
    ran = telusur("show", f"{crawled}/", "--in", "c", "--parts", "forms,wheels")
    assert ran.code == 2
    assert "'wheels' is not one of metadata, fields, forms" in ran.err
