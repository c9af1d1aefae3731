"""Separates names of people from other words in a byline."""

import re
from html import unescape

from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.statements import clean

_MAX_NAME = 60
_MAX_WORDS = 6
_MAX_NAMES = 10
_LONGEST_LABEL = 30
# "By" in the languages of bylines; alone, or before a name.
_BY_WORDS = (
    r"(?:(?:this (?:article|post|entry|story|page) (?:was|is) )?"
    r"(?:article|story|words|text|post|review|reporting|reported|written|posted|published|"
    r"authored|created|edited|submitted|started|asked|contributed|guest post|ditulis|"
    r"diposting|geschrieben|verfasst|erstellt|eingestellt|eingetragen|gespeichert|gepostet|"
    r"veröffentlicht|artikel|beitrag|(?:text|interview) und (?:interview|fotos?)|interview|"
    r"escrito|écrit|scritto|publicado|publié|rédigé|geschreven|geplaatst|skrevet|skriven|"
    r"photos? (?:and|&) (?:story|text|words)|laporan|artigo|artículo|articolo|article|"
    r"(?:ein )?(?:artikel|beitrag|kommentar|gastbeitrag|bericht)|un article|"
    r"dodane|dodał|napisał|napisane)"
    r"\s+(?:and \w+\s+)?)?(?:by|von|por|par|oleh|door|di|av|af|przez)"
)
_LABELS = (
    r"authors?|writers?|written|penulis|reporter|autor(?:en|es|a|in)?|auteurs?|autore|autori|"
    r"yazar|yazan|автор|作者|记者|記者|撰文|기자|posted|contributors?|op|"
    r"thread starter|topic author|"
    r"verfasser(?:in)?|kirjoittaja|szerző|pewarta|jurnalis|skribent|forfatter|συντάκτης|الكاتب|"
    r"بقلم|نویسنده|"
    r"topic starter|started|about the author|"
    r"投稿者|著者|執筆者|執筆|筆者|ライター|編集者|監修|記事|"
    r"eingetragen bei|recipe by|recept av|recept van"
)
# Words that announce a name only before a colon.
_COLON_LABELS = r"text|texte|tekst|texto|testo|текст|redaktion|redacción|redazione|文|글"
_BY = re.compile(
    rf"^(?:{_BY_WORDS}\s*[:\s]\s*|(?:{_LABELS})\s*(?:[:：]\s*|\s+by\s*:?\s+)"
    rf"|(?:{_COLON_LABELS})\s?[:：]\s*)",
    re.IGNORECASE,
)
# What cannot be the start of another sentence, as "By" can.
_SURELY = re.compile(
    rf"(?:(?:this (?:article|post|entry) was )?(?:written|posted|authored|article|published) by|"
    rf"geschrieben von|verfasst von|gepostet von|eingestellt von|erstellt von|veröffentlicht von|"
    rf"gespeichert von|escrito por|publicado por|écrit par|publié par|rédigé par|scritto da|"
    rf"pubblicato da|geschreven door|geplaatst door|skrevet av|skrevet af|skriven av|ditulis oleh|"
    rf"napisał|dodał|dodane przez|автор|作者|记者|記者|撰文)\b\s*[:：]?\s*"
    rf"|(?:{_LABELS})\s?[:：]\s*",
    re.IGNORECASE,
)
_BY_ALONE = re.compile(
    rf"(?:{_BY_WORDS}|{_LABELS})\s*[:：–—]?|(?:{_COLON_LABELS})\s?[:：]", re.IGNORECASE
)
_AGENCY = re.compile(r"\s?/\s?[A-Z][A-Z-]{1,6}$")
_FIRST_LETTERS = (
    "by vo po pa ol do di av af pr ar st wo te re wr pu au cr ed su as co gu ph ge es éc sc ré"
    " pe ya ав те 作者 记者 記者 文： 文: 撰文 기자 글: to op th ab ve er ei ge be in es ar un"
    " do na la ju ki sz fo sk συ ال بق نو 投稿 著者 執筆 筆者 ライ 編集 監修 記事"
)
BYLINE_STARTS = frozenset(_FIRST_LETTERS.split())  # a quick test, before those below
_REVIEWED = re.compile(
    r"(?:medically |fact[- ]|clinically |expert )?(?:reviewed|checked|edited|approved|updated|"
    r"verified|photograph\w*|photos?|images?|illustrat\w+|translated) by\b.*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:[|•·●\n]|\s[–—/-]\s|\s@|\s+on\b|\s+et publié|\bpublished\b|\bupdated\b|"
    r"\s+at\b|\btags?:|\blast (?:updated|modified)\b|\bposted\b|\(?https?:|\bview (?:all|more)|"
    r"\s(?:fotos?|photos?|pictures?|images?|bilder|illustrat\w+)\s?(?::|by\b|von\b|de\b|par\b)|"
    r"\s(?:um|at|à|às|alle|kl\.?|om)\s\d|\bmore posts|\bsee (?:all|more)|\bfollow\b|"
    r"\bread (?:more|time)|\d+ min).*$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\s(?:in|for|at|from)\s(?:the\s)?[A-Z].*$")
_ROLES = re.compile(
    r"[,\s]+(?:(?:senior|junior|chief|staff|contributing|managing|deputy|associate|assistant|"
    r"executive|guest|lead|head of|freelance|content|news|features?|social media|marketing|"
    r"product|technology|tech|business|editorial|digital|founder(?: and| &)?|"
    r"co-?founder(?: and| &)?)\s+)*"
    r"(?:editor(?:[- ]in[- ]chief)?|writer|reporter|author|contributor|correspondent|journalist|"
    r"columnist|blogger|specialist|manager|director|coordinator|strategist|ceo|cto|cmo|coo|founder|co-?founder|producer|analyst|intern|critic|president)\b.*$",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"(?:editor|writer|reporter|contributor|correspondent|journalist|columnist|consultant|manager|"
    r"director|specialist|analyst|columnists?|officer|expert|founder|analytics)$",
    re.IGNORECASE,
)
# "Interview: Ada Lind"; names of people have no colon.
_LABELLED = re.compile(r"^[^\W\d][\w ]{1,24}:\s+")
_COMMAS = re.compile(r"\s*[,;、，]\s*(?:(?:and|und|et|y|&)\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|und|et|y|e|dan|ve|en|with|&|и)\s+", re.IGNORECASE)
_CREDENTIAL = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.?){1,2}(?:[A-Z.]|-[A-Z])*\.?|Jr\.?|Sr\.?|I{2,3}|Esq\.?|PharmD|PsyD"
)
_CREDENTIALS = re.compile(rf"(?:, (?:{_CREDENTIAL.pattern}))+$")
_PARTICLES = frozenset((
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "des", "la", "le", "van", "von",
    "der", "den", "ter", "ten", "zu", "zur", "bin", "binti", "ibn", "al", "el", "y", "e", "af",
    "av", "san", "st", "mc", "o", "and",
))  # fmt: skip
_ORGANISATION = re.compile(
    r"\b(?:team|staff|editors?|editorial|desk|newsroom|inc|llc|ltd|gmbh|corp(?:oration)?|company|"
    r"group|magazine|news|press|agency|institute|university|college|association|foundation|"
    r"society|committee|department|office|center|centre|council|board|services?|solutions|"
    r"store|shop|blog|media|studio|guide|clinic|hospital|dentistry|store|redaksi|redaktion|"
    r"redacción|rédaction|redação|redazione|toimitus|redakcja|agencia|agence|agenzia|agentur|"
    r"ajansı?|agentschap|nachrichten|presse|reuters|bloomberg|antara|xinhua|contributors|admin|marketing|support|community|network|online|labs?)\b",
    re.IGNORECASE,
)
_NO_NAME_SIGNS = re.compile(
    r"https?:|www\.|\S@|\.(?:com|org|net|html?|php)\b|[{}<>=\[\]\\#$%*!?“”\"]"
)
_WORDS_ALONE = (
    "admin|administrator|staff|editor|author|authors|by|user|users|root|webmaster|unknown|guest|"
    "anonymous|none|null|undefined|na|n/a|default|superuser|super user|wordpress|website|system|"
    "member|moderator|profile|name|post|posts|reply|replies|share|follow|subscribe|comment|"
    "comments|contact|about|about us|about the author|home|menu|search|login|more|bio|biography|"
    "the author|our team|written|edited|reviewed|published|updated|facebook|twitter|linkedin|"
    "instagram|youtube|pinterest|reddit|email|copy link|print|save|like|next|previous|"
    "advertisement|table of contents|introduction|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|"
    "wednesday|thursday|friday|saturday|sunday|seo|news|blog|category|categories|ingredient|"
    "ingredients|occasion|course|cuisine|season|topic|topics|type|method|diet|brand|price|rating|"
    "popularity|recipes|photo|foto|fotos|kategorie|kategorien|categoría|catégorie|categoria|"
    "zutaten|vom|editorial|opinion|person_search|account_circle|person|schedule|activities|"
    "no author|fact checked|fact-checked|alle artikel|all articles|zum inhalt springen|"
    "skip to content|thread starter|topic author|"
    "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|"
    "vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|senin|selasa|"
    "rabu|kamis|jumat|sabtu|minggu"
)
_WORDS_OF_SENTENCES = (
    "with via from free get sign connect your you to how what is are was visit learn started demo "
    "cited minute minutes min mins ago am pm read view views click here cookie cookies privacy "
    "reserved copyright photo image credit getty disclosure affiliate link links log login posts "
    "share article"
)
_NO_NAMES = frozenset(_WORDS_ALONE.split("|"))
_NO_NAME_WORDS = frozenset(_WORDS_OF_SENTENCES.split())


def is_byline_label(text: str) -> bool:
    """Tell whether a text only announces a name: "By", "Written by", "Author:"."""
    if len(text) >= _LONGEST_LABEL or text[:2].casefold() not in BYLINE_STARTS:
        return False
    return _BY_ALONE.fullmatch(text) is not None


def starts_with_by(text: str) -> bool:
    """Tell whether a text announces a name and gives it: "By Ada Lindqvist"."""
    return len(text) < 200 and _BY.match(text) is not None


def announces_surely(text: str) -> bool:
    """Tell whether a text cannot but announce an author: "Posted by Ada", "Author: Ada"."""
    return len(text) < 200 and _SURELY.match(text) is not None


def split_names(text: str) -> list[str]:
    """Return the names in a byline or in metadata, without additions."""
    text = clean(_unescape(text[:500]))
    text = _REVIEWED.sub("", _without_by(_without_by(text)))
    if dates := find_dates(text[:200]):
        text = text[: dates[0].start]
    names: list[str] = []
    for part in _COMMAS.split(_TAIL.sub("", text)):
        if names and _CREDENTIAL.fullmatch(part.strip()):
            names[-1] = f"{names[-1]}, {part.strip()}"
            continue
        for name in map(_trim, _split_at_and(part)):
            if is_name(name) and name not in names:
                names.append(name)
    return drop_groups(names)[:_MAX_NAMES]


def _unescape(text: str) -> str:
    """Return a text without references and soft hyphens that a page or its software left in it."""
    return (unescape(text) if "&" in text else text).replace("\xad", "")


def _without_by(text: str) -> str:
    return _BY.sub("", text) if text[:2].casefold() in BYLINE_STARTS else text


def _split_at_and(text: str) -> list[str]:
    """Split "Ada Lind and Bo Ek", but not "Center for Drug Evaluation and Research"."""
    parts = _AND.split(text)
    if len(parts) > 1 and all(is_person(part) or part.istitle() for part in map(_trim, parts)):
        return parts
    return [text]


def _trim(text: str) -> str:
    """Remove announcement, job title and place from a name, if a person's name remains."""
    text = _LABELLED.sub("", _without_by(text)).strip(" ,;:-|–—·•'’《》「」『』【】")
    for pattern in (_ROLES, _PLACE, _AGENCY):
        shorter = pattern.sub("", text).strip(" ,")
        if shorter != text and is_person(shorter) and not shorter.startswith(("The ", "Our ")):
            text = shorter
    return text


def drop_groups(names: list[str]) -> list[str]:
    """Drop the newspaper, desk or organisation named after a person."""
    if len(names) > 1 and is_person(names[0]):
        return [names[0], *(name for name in names[1:] if _is_other_person(name))]
    return names


def _is_other_person(name: str) -> bool:
    """Tell whether a name after a person's is another's: not a paper, an office or a section."""
    return is_person(_CREDENTIALS.sub("", name)) and _OFFICE.search(name) is None


def is_name(text: str) -> bool:
    """Tell whether a text can be a name at all: of a person, of a group, or of a forum's user."""
    if not 2 <= len(text) <= _MAX_NAME or len(text.split()) > _MAX_WORDS:
        return False
    if sum(map(str.isdigit, text)) > len(text) // 2 and " " in text:
        return False
    if text.count("(") != text.count(")"):
        return False
    lower = text.casefold()
    if lower in _NO_NAMES or is_byline_label(text) or not _NO_NAME_WORDS.isdisjoint(lower.split()):
        return False
    return any(map(str.isalpha, text)) and _NO_NAME_SIGNS.search(text) is None


def is_person(text: str) -> bool:
    """Tell whether a name looks like that of one person: a few words, each with a capital."""
    words = text.split()
    if not is_name(text) or _ORGANISATION.search(text):
        return False
    if len(words) == 1:
        return text[:1] > "\u2e80" and len(text) <= 10  # scripts without spaces
    return all(_is_name_word(word) for word in words) and not any(map(str.isdigit, text))


def _is_name_word(word: str) -> bool:
    start = word.lstrip("(\"'“‘")[:1]
    return start.isupper() or word.casefold().strip(".") in _PARTICLES or start > "\u0590"


def is_handle(text: str) -> bool:
    """Tell whether a name is a login name rather than a real one."""
    return " " not in text and (text == text.lower() or any(map(str.isdigit, text)) or "_" in text)
