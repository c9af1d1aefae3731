import pytest

from telusur.extract.facts.names import (
    BYLINE_STARTS,
    announces_surely,
    drop_groups,
    is_byline_label,
    is_handle,
    is_name,
    is_person,
    split_names,
    starts_with_by,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By Ada Lindqvist", ["Ada Lindqvist"]),
        ("Written by Ada Lindqvist and Bo Ek", ["Ada Lindqvist", "Bo Ek"]),
        ("By Ada Lindqvist, Bo Ek & Siti Rahma", ["Ada Lindqvist", "Bo Ek", "Siti Rahma"]),
        ("By Ada Lindqvist | May 3, 2024", ["Ada Lindqvist"]),
        ("Ada Lindqvist on 3 May 2024", ["Ada Lindqvist"]),
        ("Ada Lindqvist, Senior Staff Writer", ["Ada Lindqvist"]),
        ("Ada Lindqvist Marketing Manager", ["Ada Lindqvist"]),
        ("Ada Lindqvist, Coast News Desk", ["Ada Lindqvist"]),
        ("Ada Lindqvist, Reviewed by Bo Ek", ["Ada Lindqvist"]),
        ("Ada Lindqvist, MD, PhD", ["Ada Lindqvist, MD, PhD"]),
        ("Ada Lindqvist, Ada Lindqvist", ["Ada Lindqvist"]),
        ("Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]),
        ("The Coast Herald Team", ["The Coast Herald Team"]),
        ("Oleh: Siti Rahma", ["Siti Rahma"]),
        ("Von Anna Müller", ["Anna Müller"]),
        ("Yazan: Kemal Aydın", ["Kemal Aydın"]),
        ("Автор: Анна Ахматова", ["Анна Ахматова"]),
        ("作者：王小明", ["王小明"]),
        ("Thread starter: foghorn_42", ["foghorn_42"]),
        ("Recipe by: Ada Lindqvist", ["Ada Lindqvist"]),
        ("著者：王小明", ["王小明"]),
        ("《王小明》", ["王小明"]),
        ("Eingestellt von Ada Lindqvist um 21:11", ["Ada Lindqvist"]),
        ("Posted by Ada Lindqvist at May 5", ["Ada Lindqvist"]),
        ("Ada Lindqvist, Extension horticulture educators", ["Ada Lindqvist"]),
        ("投稿者", []),
        ("Category", []),
        ("5 min read", []),
        ("Sat, 20 Dec, 2025 - 06:36", []),
        ("https://facebook.com/ada", []),
        ("admin", []),
        ("", []),
    ],
)
def test_names_in_a_byline(text, expected):
    assert split_names(text) == expected


@pytest.mark.parametrize(
    "text", ["By", "Written by", "Author:", "by", "Posted by", "Oleh", "作者："]
)
def test_words_that_announce_a_name(text):
    assert is_byline_label(text)
    assert text[:2].casefold() in BYLINE_STARTS


@pytest.mark.parametrize("text", ["Bye", "Standby", "By the sea we lived", "News"])
def test_words_that_announce_none(text):
    assert not is_byline_label(text)


def test_announcement_with_a_name():
    assert starts_with_by("By Ada")
    assert not starts_with_by("Bygone days")


def test_people_groups_and_handles():
    assert is_person("Ada Lindqvist")
    assert is_person("Erik van der Berg")
    assert is_person("王小明")
    assert not is_person("Ada")
    assert not is_person("Coast Herald Staff")
    assert not is_person("How fog works")
    assert is_handle("foghorn_42")
    assert not is_handle("Ada")
    assert is_name("foghorn_42")
    assert not is_name("Visit the shop")
    assert not is_name("x" * 61)
    assert drop_groups(["Ada Lindqvist", "Global Desk"]) == ["Ada Lindqvist"]
    assert drop_groups(["Global Desk", "Herald Staff"]) == ["Global Desk", "Herald Staff"]


@pytest.mark.parametrize(
    "text",
    ["by " * 5000, "senior " * 5000, "A, " * 5000, " and " * 5000, "(" * 5000, "\x00 - " * 999],
)
def test_hostile_bylines_end(text):
    assert len(split_names(text)) <= 10


@pytest.mark.parametrize(
    "text", ["Posted by Ada", "Author: Ada", "作者 王小明", "Verfasst von Ada"]
)
def test_announcements_that_cannot_begin_another_sentence(text):
    assert announces_surely(text)
    assert text[:2].casefold() in BYLINE_STARTS


@pytest.mark.parametrize("text", ["By Ada", "Von hier", "Posted yesterday", "Authors of the sea"])
def test_announcements_that_may_be_something_else(text):
    assert not announces_surely(text)
