import json

import pytest

import telusur as library

HUNT = "Owls hunt at night. Their feathers make no sound, and they hear mice."
PAGES = {
    "owls": ("How owls hunt", HUNT),
    "owls-copy": ("How owls hunt today", HUNT),
    "feathers": ("Feathers", "Feathers keep birds warm. Those of owls make no sound at night."),
    "mice": ("Mice", "Mice hide in the corn at night, since hunters hear them."),
    "bread": ("Bread", "Flour, water and salt, and time in the oven."),
    "salt": ("Salt", "Salt comes from the sea; bread needs it."),
}


def page(name, title, text):
    return library.Document(url=f"https://a.example/{name}", title=title, text=text, language="en")


@pytest.fixture
def collection(tmp_path):
    with library.open(tmp_path / "c") as opened:
        opened.add(page(name, *words) for name, words in PAGES.items())
        yield opened


def names(hits):
    return [hit.url.rpartition("/")[2] for hit in hits]


def test_pages_that_share_telling_words_come_first_without_the_page_and_its_copies(collection):
    assert names(collection.related("https://a.example/owls")) == ["feathers", "mice"]
    assert names(collection.related("https://a.example/bread")) == ["salt"]
    assert names(collection.related("https://a.example/owls", limit=1)) == ["feathers"]


def test_two_copies_of_another_page_are_one(collection):
    found = names(collection.related("https://a.example/feathers"))
    assert len({"owls", "owls-copy"} & set(found)) == 1


def test_words_of_the_title_weigh_more(collection):
    collection.add([page("x", "Tides", "Boats wait."), page("y", "", "Of tides and more.")])
    collection.add([page("z", "", "Of boats and more.")])
    assert names(collection.related("https://a.example/x")) == ["y", "z"]


def test_the_snippet_marks_what_they_share(collection):
    (first, _) = collection.related("https://a.example/owls")
    marked = {first.snippet[start:end] for start, end in first.marks}
    assert {"owls", "sound"} <= marked


def test_on_the_command_line(telusur, collection):
    ran = telusur("related", "https://a.example/bread", "--in", "c", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["type"], len(answer["hits"])) == (0, "related", 1)
    assert telusur("related", "https://a.example/bread", "--in", "c").out.startswith(" 1. Salt")


def test_a_page_alone_in_the_world(telusur, collection):
    collection.add([page("q", "", "Qwertz.")])
    ran = telusur("related", "https://a.example/q", "--in", "c")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "No page is related to https://a.example/q.\n"


def test_a_page_that_is_not_there(telusur, collection):
    ran = telusur("related", "https://a.example/none", "--in", "c")
    assert (ran.code, ran.out) == (2, "")
    assert "the collection does not have this page" in ran.err
