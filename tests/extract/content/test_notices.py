import pytest

from telusur.extract.content.notices import is_notice


@pytest.mark.parametrize(
    "text",
    [
        "© 2017 The Bay Courier", "(c) 2011 Bay Media", "Copyright 2012 Skerry Press",
        "All rights reserved. No part may be copied.", "Alle Rechte vorbehalten",
        "Tüm hakları saklıdır", "Hak Cipta 2015 Kabar Teluk", "Все права защищены.",
        "（责任编辑：岳明 HN152）", "编辑：张明", "【免责声明】本文仅代表作者观点",
        "無断転載を禁じます", "特别声明：以上内容为用户上传", "如需转载请与《海湾报》联系。",
        " All rights reserved.", "\t(c) 2011 Bay Media",
    ],
)  # fmt: skip
def test_rights_and_editors_are_no_text(text):
    assert is_notice(text, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Read also: Ferries are late", "Baca juga: Kapal terlambat", "Baca Juga : Kapal terlambat",
        "Lesen Sie auch: Fähren verspätet", "Читайте также: паром", "İlgili haber: Vapur",
        "相关阅读：渡轮", "SEE MORE: Ferries are late", "MORE: Ferries", "Watch: The ferry",
    ],
)  # fmt: skip
def test_a_pointer_to_another_story_is_no_text(text):
    assert is_notice(text, len(text) // 2)


@pytest.mark.parametrize(
    "text",
    [
        "Ссылки по теме:",
        "Jangan Lewatkan",
        "Related articles",
        "Baca juga:",
        "Lees ook",
        "相关新闻：",
    ],
)
def test_nor_is_its_heading(text):
    assert is_notice(text, 0)


@pytest.mark.parametrize(
    "text",
    [
        "More ferries are late.", "Watch the ferry come in.",
        "Copyright law is older than the press.", "Read also says more than read.",
        "Related stories were told by the keeper.", "Baca jugalah buku ini", "编辑部搬到海边。",
        "All rights are reserved for the ferry, the company said.", "",
    ],
)  # fmt: skip
def test_sentences_that_begin_alike_are_text(text):
    assert not is_notice(text, 0)


def test_a_long_line_is_text():
    assert not is_notice("© 2017 " + "The keeper climbed the stairs. " * 20, 0)


def test_what_is_read_also_is_text_without_a_link():
    assert not is_notice("Read also: the third chapter of this book", 0)
