import re

import pytest

from telusur.web.roads import HTML, JSON, ROADS

URL = "https://lexikon.example/de/artikel/Gezeitenuhr"
THREAD = "https://forum.tinkers.example/t/0001/which-clock-for-a-boat?"
EXAMPLES = {
    "q": "clock", "url": URL, "page": "1", "limit": "5", "per_site": "2", "group": "site",
    "facets": "site,year", "explain": "true", "model": "tfidf", "as_of": "1790000000.5", "why": "1",
    "semantic": "false", "columns": "title,text", "plain": "clock", "regex": "",
    "site": "tinkers.example", "depth": "5", "around": URL, "steps": "2", "most": "50",
    "topic": "", "about": "0.5", "colour": "topic", "after": "0",
    "selected": URL, "start": "0", "side": "in", "kind": "slow", "type": "pdf",
    "look": "parsed", "cluster": "1",
}  # fmt: skip


def path_of(road):
    examples = EXAMPLES | {"view": "original" if road.path.startswith("/copy") else "pages"}
    examples |= {"url": THREAD} if road.path.startswith("/site/clusters") else {}
    asked = "&".join(f"{param.name}={examples[param.name]}" for param in road.params)
    return f"{road.path}?{asked}" if asked else road.path


def resolve(schema, described):
    if "$ref" not in schema:
        return schema
    return described["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]


def fits(value, schema, described):
    """Check a value against the few kinds of schema that we write."""
    schema = resolve(schema, described)
    if "anyOf" in schema:
        return any(fits(value, each, described) for each in schema["anyOf"])
    kind = schema.get("type")
    if kind == "object" and isinstance(value, dict):
        named = schema.get("properties", {})
        rest = schema.get("additionalProperties", {})
        return set(schema.get("required", ())) <= set(value) and all(
            fits(each, named.get(name, rest), described) for name, each in value.items()
        )
    if kind == "array" and isinstance(value, list):
        items = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        return all(fits(one, each, described) for one, each in zip(value, items, strict=True))
    if isinstance(value, bool):
        return kind in ("boolean", None)
    plain = {"string": str, "integer": int, "number": (int, float), "null": type(None)}
    return kind is None or (kind in plain and isinstance(value, plain[kind]))


@pytest.mark.parametrize("road", ROADS, ids=lambda road: road.path)
def test_every_road_answers_what_it_says(workbench, road):
    answer = workbench.get(path_of(road))
    assert answer.status == 200
    assert answer.headers["content-type"].partition(";")[0] == road.media_type


def test_every_json_answer_fits_its_schema(workbench):
    described = workbench.get("/openapi.json").json
    assert described["openapi"] == "3.1.0"
    checked = 0
    for road in ROADS:
        if road.media_type == JSON and road.answers:
            answers = described["paths"][road.path]["get"]["responses"]["200"]
            schema = answers["content"][JSON]["schema"]
            found = workbench.get(path_of(road)).json
            assert list(found) == ["ok", *road.answers] or set(found) == {"ok", *road.answers}
            assert fits(found, schema, described), road.path
            checked += 1
    assert checked == 22
    assert not fits({"ok": True}, schema, described)


def test_every_problem_has_the_shape_described(workbench):
    described = workbench.get("/openapi.json").json
    problem = described["components"]["schemas"]["Problem"]
    assert fits(workbench.get("/search.json?page=0").json, problem, described)


def test_references_lead_somewhere_and_names_are_unique(workbench):
    answer = workbench.get("/openapi.json")
    schemas = answer.json["components"]["schemas"]
    assert set(re.findall(r"#/components/schemas/(\w+)", answer.text)) <= set(schemas)
    names = [way["get"]["operationId"] for way in answer.json["paths"].values()]
    assert len(names) == len(set(names))


def test_parameters_are_described_with_their_bounds(workbench):
    search = workbench.get("/openapi.json").json["paths"]["/search.json"]["get"]
    params = {param["name"]: param for param in search["parameters"]}
    assert list(params) == [
        "q", "page", "limit", "per_site", "group", "facets", "explain", "model",
        "semantic", "as_of",
    ]  # fmt: skip
    limit = params["limit"]["schema"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 100, 10)
    assert workbench.get(f"/search.json?q=x&limit={limit['maximum'] + 1}").status == 400
    assert params["facets"]["explode"] is False


def test_the_page_for_people_names_every_road_and_parameter(workbench):
    text = workbench.get("/api").text
    for road in ROADS:
        assert f"<code>{road.path}</code>" in text
        for param in road.params if road.media_type != HTML else ():
            assert f"<code>{param.name}</code>" in text


def test_every_road_of_the_application_is_in_the_table():
    from telusur.web.app import make_app
    from telusur.web.paperdoll.doll import make_paper_doll

    paths = {route.path for route in make_app(make_paper_doll()).routes}
    from telusur.web.guard.roads import KEY_ROADS, LOGOUT_ROADS
    from telusur.web.page.roads import LABEL_ROADS

    known = {road.path for road in ROADS + LABEL_ROADS + KEY_ROADS + LOGOUT_ROADS}
    assert paths - known == {"/favicon.svg", "/favicon.ico", "/static"}
