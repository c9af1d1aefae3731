import json
from xml.etree import ElementTree

import pytest


def test_json_is_the_whole_web_and_hangs_together(telusur, demo):
    ran = telusur("graph", "--in", demo.directory)
    assert ran.code == 0
    record = json.loads(ran.out)
    nodes, links = record["nodes"], record["links"]
    assert {"url", "domain", "id"} <= set(nodes[0])
    assert {"source", "target", "depth"} <= set(links[0])
    assert [node["id"] for node in nodes] == list(range(len(nodes)))
    earlier = {link["target"] for link in links if link["tree"] and link["source"] < link["target"]}
    alone = [node for node in nodes if node["id"] not in earlier]
    assert {node["depth"] for node in alone} == {0}
    sitemaps = {node["url"] for node in nodes if "/sitemap" in node["url"]}
    assert len(alone) == 9 + sum(node["url"] in sitemaps for node in alone)
    fetched = telusur("export", "--in", demo.directory, "--format", "jsonl").out.splitlines()
    done = [record for record in map(json.loads, fetched) if record["state"] == "done"]
    assert {node["url"] for node in nodes} == {record["url"] for record in done} | sitemaps


def test_urls_are_those_of_the_graph(telusur, demo):
    urls = telusur("graph", "--in", demo.directory, "--format", "urls").out.splitlines()
    record = json.loads(telusur("graph", "--in", demo.directory, "--format", "json").out)
    assert urls == [node["url"] for node in record["nodes"]]


@pytest.mark.parametrize("form", ["graphml", "svg"])
def test_xml_parses(telusur, demo, form):
    ran = telusur("graph", "--in", demo.directory, "--format", form, "--most", 50)
    root = ElementTree.fromstring(ran.out)
    kinds = [each.tag.rpartition("}")[2] for each in root.iter()]
    circles = kinds.count("node") + kinds.count("circle")
    assert 50 <= circles <= 50 + 12


def test_around_a_page(telusur, demo):
    url = demo.url("docs")
    ran = telusur("graph", "--in", demo.directory, "--format", "urls", "--around", url)
    assert ran.out.splitlines()[0] == url
    linked = {
        link["url"]
        for link in json.loads(telusur("show", url, "--in", demo.directory, "--json").out)["links"]
    }
    assert linked & set(ran.out.splitlines())


def test_nothing_fits_and_wrong_use(telusur, demo):
    ran = telusur("graph", "--in", demo.directory, "--site", "nowhere.example")
    assert (ran.code, ran.out, ran.err) == (1, "", "No crawled page matches.\n")
    ran = telusur("graph", "--in", demo.directory, "--around", "https://nowhere.example/")
    assert ran.code == 2
    assert ran.err == (
        "telusur: https://nowhere.example/: the collection has not fetched this page.\n"
    )
    assert telusur("graph", "--in", demo.directory, "--most", 0).code == 2
