import json
from xml.etree import ElementTree

from telusur.graph.contract import MapLink, MapNode
from telusur.graph.formats import write_graphml, write_json, write_urls

HOSTILE = 'a</data>&<script>"\x00\x1b\ud800\ufffe\u202e'
NODES = [MapNode(0, "https://a.example/?a=1&b=<2>", "a.example", HOSTILE, 0, 1.5, True, 0.25),
         MapNode(1, "https://b.example/", "b.example", "B", 1, 0.0, True)]  # fmt: skip
LINKS = [MapLink(0, 1, 1, True), MapLink(1, 0, 0, False)]
NAMES = {"g": "http://graphml.graphdrawing.org/xmlns"}


def test_json_has_the_names_promised():
    record = json.loads("".join(write_json(NODES, LINKS)))
    assert record["nodes"][1] == {
        "url": "https://b.example/", "domain": "b.example", "id": 1, "title": "B", "depth": 1,
        "rank": 0.0,
    }  # fmt: skip
    assert record["links"] == [
        {"source": 0, "target": 1, "depth": 1, "tree": True},
        {"source": 1, "target": 0, "depth": 0, "tree": False},
    ]
    assert json.loads("".join(write_json([], []))) == {"nodes": [], "links": []}


def test_graphml_is_xml_whatever_titles_say():
    root = ElementTree.fromstring("".join(write_graphml(NODES, LINKS)).encode())
    keys = {key.get("id") for key in root.findall("g:key", NAMES)}
    nodes, edges = root.findall(".//g:node", NAMES), root.findall(".//g:edge", NAMES)
    assert [node.get("id") for node in nodes] == ["n0", "n1"]
    assert [(edge.get("source"), edge.get("target")) for edge in edges] == [
        ("n0", "n1"), ("n1", "n0")
    ]  # fmt: skip
    data = {each.get("key"): each.text for each in nodes[0]}
    assert data["url"] == NODES[0].url
    assert data["title"] == 'a</data>&<script>"\ufffd\ufffd\ufffd\ufffd\u202e'
    assert {each.get("key") for node in (*nodes, *edges) for each in node} == keys


def test_urls_stand_one_a_line():
    assert "".join(write_urls(NODES, LINKS)).splitlines() == [node.url for node in NODES]
