"""`telusur search --group topic`."""

import json

import pytest

import telusur as library


@pytest.fixture
def collection(tmp_path):
    animal, company = "claws and whiskers, a tail", "diggers and bulldozers, a share price"
    with library.open(tmp_path / "c") as opened:
        opened.add(
            library.Document(
                url=f"https://{n}.example/", title="Cat", text=f"A cat: {text}.", language="en"
            )
            for n, text in enumerate([animal] * 4 + [company] * 5)
        )
        yield opened


def test_on_the_command_line(telusur, collection):
    ran = telusur("search", "cat", "--group", "topic", "--limit", "2", "--in", "c")
    groups = collection.search("cat", group="topic").groups
    assert ran.out.splitlines()[0] == f"{groups[0].name} ({groups[0].total})"
    assert ran.out.count("\n 1. ") == len(groups)
    ran = telusur("search", "cat", "--group", "topic", "--in", "c", "--json")
    assert [group["name"] for group in json.loads(ran.out)["groups"]] == [g.name for g in groups]
    assert [group.total for group in groups] == [5, 4]
