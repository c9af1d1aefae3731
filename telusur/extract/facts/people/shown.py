"""Authors that no word announces: beside the day of a page or its title.

The lines of a page are read for names of people where a reader would look for them.
"""

import re
from collections.abc import Sequence

from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.names import is_person, split_names, starts_with_by
from telusur.extract.facts.nearby import HAS_YEAR

_LONGEST = 100  # characters
_MOST_LINES = 1500
_NEAR = 2  # lines
_EDGES = " -–—/:"
_PARTS = re.compile(r"\s*(?:[|•·∙\n]|\s[–—/-]\s|,\s)\s*")
# （记者 张倩）, 光明日报记者 王建宏 张文攀, 本报记者罗科苏盈发自北京
_CHINESE_NAMES = r"[\u4e00-\u9fff]{2,4}(?:[\s、]+[\u4e00-\u9fff]{2,4}){0,5}"
_REPORTERS = re.compile(
    rf"(?:[记記]者[\s:：]{{1,3}}|作者\s?[:：]\s?)(?P<apart>{_CHINESE_NAMES})\s?(?![\u4e00-\u9fff，,])"
    rf"|[记記]者(?P<close>[\u4e00-\u9fff]{{2,4}})(?=[）)/]|报道|報道|報導|发自)"
)
_ALL_OF = re.compile(
    r"(?:(?:view|see|read|show) )?(?:all|more) (?:posts|articles|stories)?\s?(?:by|from)\s+|"
    r"(?:alle|weitere) (?:artikel|beiträge) von\s+|alles von\s+|tous les articles de\s+|"
    r"ver todos los (?:artículos|posts) de\s+|(?:posts|articles) by\s+",
    re.IGNORECASE,
)

# A quick test, before the expression above.
_OFFERING_STARTS = frozenset(["vi", "se", "re", "sh", "al", "mo", "we", "to", "ve", "po", "ar"])


def find_shown_people(lines: Sequence[str], labels: Sequence[str], day: str | None) -> list[str]:
    """Return the people whom a page with one subject shows as its authors, or none.

    1. Names in the line of the page's day. 2. Names in a line that the network takes for a byline,
    beside the title or a day. 3. The person of whom it offers all other articles. 4. The
    reporters of a Chinese article.
    """
    short = [line if len(line) <= _LONGEST else "" for line in lines[:_MOST_LINES]]
    return (
        (_beside_day(short, labels, day) if day else [])  # 1
        or _in_byline(short, labels)  # 2
        or _of_all_articles(short)  # 3
        or _reporters(lines)  # 4
    )


def _beside_day(lines: Sequence[str], labels: Sequence[str], day: str) -> list[str]:
    """Return the people named in the first line that has the day of the page and a person."""
    for line, label in zip(lines, labels, strict=False):
        if label not in ("author", "date") or not HAS_YEAR.search(line):
            continue
        found = find_dates(line)[:1]
        if found and found[0].day == day:
            rest = f"{line[: found[0].start]} | {line[found[0].end :]}"
            if people := _people_in(rest):
                return people
    return []


def _people_in(text: str) -> list[str]:
    """Return the first people among the parts of a line, announced or not."""
    for part in (part.lstrip(_EDGES) for part in _PARTS.split(text)):
        if starts_with_by(part) or _is_told_by_capitals(part):
            people = split_names(part)
            if people and all(map(is_person, people)):
                return people
    return []


def _is_told_by_capitals(text: str) -> bool:
    """Tell whether a text looks like a person's name in a script that has capitals."""
    return is_person(text) and text[:1].isupper()


def _in_byline(lines: Sequence[str], labels: Sequence[str]) -> list[str]:
    if "author" not in labels:
        return []
    for number, line in enumerate(lines):
        if labels[number] != "author" or not line:
            continue
        near = labels[max(0, number - _NEAR) : number + _NEAR + 1]
        if "title" not in near and "date" not in near:
            continue
        people = split_names(line)
        if people and all(map(_is_told_by_capitals, people)):
            return people
    return []


def _of_all_articles(lines: Sequence[str]) -> list[str]:
    """Return the person whose other articles the page offers, if it is only one."""
    found = {name for line in lines if (name := _offered(line))}
    return list(found) if len(found) == 1 else []


def _offered(line: str) -> str:
    match = _ALL_OF.match(line) if line[:2].lower() in _OFFERING_STARTS else None
    people = split_names(line[match.end() :].partition("\n")[0]) if match else []
    return people[0] if len(people) == 1 and is_person(people[0]) else ""


def _reporters(lines: Sequence[str]) -> list[str]:
    for line in lines[:_MOST_LINES]:
        if "者" in line and (found := _REPORTERS.search(line)):
            return re.split(r"[\s、]+", found["apart"] or found["close"])
    return []
