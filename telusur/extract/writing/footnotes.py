"""Footnotes: a mark in the text that links to an item or a paragraph further down."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from telusur.extract.page.runs import UPPER, TextRun
from telusur.extract.writing.structure import Leaf, LineGroup

MOST_NOTES = 5_000
_LONGEST_MARK = 12
_LONGEST_BACK = 20
_BRACKETED = re.compile(r"\s*[\[(](?:\w{1,8}\s?\w{0,4}|[*†‡§¶]{1,3})[\])]\s*")
_BARE = re.compile(r"\s*(?:\d{1,4}|[a-z]|[*†‡§¶]{1,3})\s*")
_NOTE_NAME = re.compile(r"note|fn|foot|cite|ref|anm|fu(?:ss|ß)", re.IGNORECASE)
# What links back from a note to its mark: an arrow, a letter, a number.
_BACK = re.compile(r"[\W_]*(?:\w{1,3}|back|jump up)?[\W_]*", re.IGNORECASE)
_LEADING = re.compile(r"[\s^↑↩⇑:.)\]]+")
_NO_WORD = re.compile(r"\W+")


@dataclass(slots=True, eq=False)
class _Target:
    """Something in the content that has a name on the page."""

    part: Leaf | LineGroup
    at: int
    mark: str = ""


def link_notes(body: LineGroup) -> None:
    """Give marks and their notes the same name, and drop links back from a note to its mark.

    Afterwards the `target` of a run is the mark of a note, or empty.
    """
    leaves = list(body.leaves())
    if not any(run.target for leaf in leaves for run in leaf.runs):
        return
    targets = {name: each for each, names in _targets_in(body) for name in names}
    taken: set[str] = set()
    for at, leaf in enumerate(leaves):
        for number, run in enumerate(leaf.runs):
            found = targets.get(run.target) if run.target else None
            if found is None or found.at <= at or not _is_mark(run):
                continue
            if not found.mark and len(taken) < MOST_NOTES:
                found.mark = _free_mark(run.text, taken)
            leaf.runs[number] = run._replace(target=f"\x00{found.mark}")
        _drop_brackets(leaf.runs)
    notes = {id(each): each for each in targets.values() if each.mark}
    for note in notes.values():
        _settle_note(note)
    for leaf in leaves:
        leaf.runs = [
            run._replace(target=run.target[1:] if run.target.startswith("\x00") else "")
            for run in leaf.runs
        ]


def _targets_in(body: LineGroup) -> Iterator[tuple[_Target, list[str]]]:
    """Yield paragraphs and items that have names; the first paragraph of an item names the item."""
    owners: dict[int, LineGroup] = {}
    waiting = [body]
    while waiting:
        group = waiting.pop()
        first = group.parts[0] if group.parts else None
        if group.kind == "li" and isinstance(first, Leaf):
            owners[id(first)] = group
        waiting += [each for each in group.groups() if each.kind != "table"]
    for at, leaf in enumerate(body.leaves()):
        if leaf.names and leaf.kind == "p":
            yield _Target(owners.get(id(leaf), leaf), at), leaf.names


def _is_mark(run: TextRun) -> bool:
    """Tell whether a link looks like the mark of a note."""
    text = run.text
    if len(text) > _LONGEST_MARK or not text.strip():
        return False
    if run.marks & UPPER or _BRACKETED.fullmatch(text):
        return True
    return bool(_BARE.fullmatch(text) and _NOTE_NAME.search(run.target))


def _free_mark(text: str, taken: set[str]) -> str:
    mark = _NO_WORD.sub("", text)
    if not mark or mark in taken:
        mark = next(str(n) for n in count(len(taken) + 1) if str(n) not in taken)
    taken.add(mark)
    return mark


def _drop_brackets(runs: list[TextRun]) -> None:
    """Drop the brackets around a mark that are not part of the link."""
    for number in range(1, len(runs) - 1):
        before, mark, after = runs[number - 1 : number + 2]
        if not mark.target.startswith("\x00"):
            continue
        if before.text.endswith(("[", "(")) and after.text.startswith(("]", ")")):
            runs[number - 1] = before._replace(text=before.text[:-1])
            runs[number + 1] = after._replace(text=after.text[1:])
    runs[:] = [run for run in runs if run.text or run.image]


def _settle_note(target: _Target) -> None:
    """Name a note, and drop from it the links back and the mark it begins with."""
    part = target.part
    part.note = target.mark
    leaves = [part] if isinstance(part, Leaf) else list(part.leaves())
    for leaf in leaves:
        leaf.runs = [run for run in leaf.runs if not _links_back(run)]
        if leaf.runs:
            leaf.runs[-1] = leaf.runs[-1]._replace(text=leaf.runs[-1].text.rstrip())
    first = leaves[0]
    own = re.compile(rf"\W{{0,2}}{re.escape(target.mark)}(?:[.:)\]]+\s*|\s+)")
    _cut(first.runs, own)
    _cut(first.runs, _LEADING)


def _links_back(run: TextRun) -> bool:
    is_within = bool(run.target) and not run.target.startswith("\x00")
    return is_within and len(run.text) <= _LONGEST_BACK and _BACK.fullmatch(run.text) is not None


def _cut(runs: list[TextRun], start: re.Pattern[str]) -> None:
    while runs and not runs[0].image:
        found = start.match(runs[0].text)
        if found is None:
            return
        runs[0] = runs[0]._replace(text=runs[0].text[found.end() :])
        if runs[0].text:
            return
        del runs[0]
