"""Lines that say themselves that they are no part of a text: rights, editors, "read also"."""

import re

# A line begins with one of these, in the languages of the sets that we know and their neighbours.
_RIGHTS = r"""
    © | \(c\)\s*(?:19|20)\d\d | copyright\s*(?:©|\(c\)|(?:19|20)\d\d|by) | all\s+rights\s+reserved
    | alle\s+rechte\s+vorbehalten | tous\s+droits\s+réservés | todos\s+los\s+derechos\s+reservados
    | todos\s+os\s+direitos\s+reservados | tutti\s+i\s+diritti\s+riservati
    | riproduzione\s+riservata
    | wszelkie\s+prawa\s+zastrzeżone | všechna\s+práva\s+vyhrazena | minden\s+jog\s+fenntartva
    | все\s+права\s+защищены | tüm\s+hakları\s+saklıdır | hak\s+cipta | ved\s+mangfoldiggørelse
    | alle\s+rechten\s+voorbehouden | με\s+επιφύλαξη | toate\s+drepturile\s+rezervate
    | 版权(?:声明|所有|归) | 版權(?:聲明|所有|歸) | [【\[（(]?免[责責]声明 | 免責聲明 | 无断转载
    | 特别(?:声明|提醒)[:：] | 平台声明[:：] | 郑重声明[:：] | 如需转载 | 转载请注明 | 轉載請註明
    | 未经.{0,12}(?:授权|许可) | 未經.{0,12}(?:授權|許可) | 本文仅代表作者 | 声明：本 | 聲明：本
    | 無断(?:転載|複製) | 무단\s*전재 | 저작권자
"""
_EDITORS = r"""
    [（(\[]?\s*(?:责任编辑|責任編輯|责编|責編|编辑|編輯|校对|审核)\s*[:：/]
"""
# Followed by the headline of another story, mostly a link.
_READ_ALSO = r"""
    (?:also\s+read|read\s+(?:also|more|next)|see\s+(?:also|more)|don['’]t\s+miss|jangan\s+lewatkan
    |watch(?:\s+(?:also|now|below|this))?|more|recommended|(?:ссылки\s+)?по\s+теме
    |zobacz\s+wideo|related(?:\s+(?:stories|articles|news))?
    |more\s+on\s+this|lesen\s+sie\s+(?:auch|dazu|hierzu|mehr)|mehr\s+zum\s+thema
    |lire\s+aussi|à\s+lire\s+(?:aussi|également)|voir\s+aussi|lee\s+también|lea\s+también
    |te\s+puede\s+interesar|leia\s+(?:também|mais)|veja\s+também|leggi\s+anche
    |czytaj\s+(?:też|także|również|więcej)|zobacz\s+(?:też|także|również)|přečtěte\s+si
    |čítajte\s+aj|olvassa\s+el|читайте\s+также|читайте\s+ещё|διαβάστε\s+(?:επίσης|ακόμα|ακόμη)
    |ilgili\s+haber(?:ler)?|bunu\s+da\s+okuyun|baca\s+(?:juga|pula|selengkapnya)|simak\s+juga
    |lihat\s+juga|pilihan\s+editor|lees\s+(?:ook|meer)|läs\s+(?:också|även|mer)|les\s+også
    |læs\s+også|lue\s+myös|xem\s+thêm|citește\s+și|相关(?:阅读|新闻|报道|链接)|相關(?:閱讀|新聞|報導)
    |you\s+(?:may|might)\s+(?:also\s+)?(?:like|enjoy)
    |das\s+könnte\s+(?:sie|dich)\s+(?:auch\s+)?interessieren
    |vous\s+aimerez\s+aussi|potrebbe\s+interessarti|może\s+cię\s+zainteresować|猜你喜欢
    |вам\s+(?:может|будет)\s+\w+|ilginizi\s+çekebilir|anda\s+mungkin\s+suka
    |延伸(?:阅读|閱讀)|推荐阅读|推薦閱讀|関連(?:記事|ニュース)|관련\s*기사)\s*(?:[:：»>\-–|]|$)
"""


def _begins_of(*patterns: str) -> frozenset[str]:
    """Return the two ASCII letters, or the other ASCII sign, with which these patterns may begin.

    More than these do no harm: then a line is looked at for nothing.
    """
    found = set("([")
    for alternative in "|".join(patterns).split("|"):
        begin = alternative.strip().removeprefix("(?:")[:2].lower()
        if begin.isascii() and not begin.startswith(("\\(", "[")):
            found.add(begin if begin.isalpha() else begin[:1])
    return frozenset(found)


_BEGINS = _begins_of(_RIGHTS, _EDITORS, _READ_ALSO)
_NOTICE = re.compile(rf"\s*(?:{_RIGHTS}|{_EDITORS})", re.I | re.X)
_OTHER_STORY = re.compile(rf"\s*[\[(【]?\s*{_READ_ALSO}", re.I | re.X)
_LONGEST = 300  # characters; longer lines are text
_LINKED = 0.3


def is_notice(text: str, linked: int) -> bool:
    """Tell whether a line is a notice or a pointer to another story, not text.

    `linked` says how many of its characters belong to links.
    """
    if len(text) > _LONGEST:
        return False
    begin = text[:2].lower()
    if begin.isascii() and not (begin in _BEGINS or begin[:1] in _BEGINS or begin[:1].isspace()):
        return False
    if _NOTICE.match(text) is not None:
        return True
    found = _OTHER_STORY.match(text)
    return found is not None and (
        linked >= _LINKED * len(text) or found.end() == len(text.rstrip())
    )
