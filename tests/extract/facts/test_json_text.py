from telusur.extract.facts.json_text import parse_json


def test_json_of_pages_is_read_with_its_usual_faults():
    assert parse_json(' {"a": "x\ny"};\n') == {"a": "x\ny"}
    assert parse_json("[" * 200_000) is None
    assert parse_json("var a = 1") is None


def test_texts_of_json_can_be_stored():
    found = parse_json(r'{"na\u0000me": ["Ana \ud800 Roe", {"wave": "\ud83c\udf0a", "n": 1}]}')
    assert found == {"name": ["Ana \ufffd Roe", {"wave": "🌊", "n": 1}]}


def test_an_escaped_backslash_stays_as_it_is():
    assert parse_json(r'["\\ud800", "\\u0000"]') == [r"\ud800", r"\u0000"]
