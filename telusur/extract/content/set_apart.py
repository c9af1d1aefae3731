"""Parts of an article's page that their names set apart: readers' comments, and what is hidden."""

import re

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.nesting import are_within, elements_around
from telusur.extract.page.layout import Layout

# In class names and ids, as programmers of different countries spell them.
_STEMS = (
    "comment", "comentari", "kommen", "koment", "disqus", "dsq-", "yorum", "reactie", "otzyv",
    "diskuse", "diskuze", "hozzaszol", "binhluan", "pinglun", "liuyan", "tanggapan", "sxoli",
    "hid", "d-none", "display-none", "invisible",
)  # fmt: skip
_COMMENTS = re.compile(
    # No names of comments: "nocomments", "commentary" and the sports of commentators.
    r"(?<!no)(?<!no-)(?<!no_)comment(?!ary|ator)|comentari|komment(?:ar|t)|koment(?:ar|ář)|disqus"
    r"|\bdsq-|\byorum|\breacties?\b|otzyv|diskuse|diskuze|hozzaszol|binhluan|pinglun|liuyan"
    r"|\btanggapan\b|\bsxoli"
)
# Classes by which common style sheets hide an element until a script shows it. Beside a class for
# wider screens (`md:block`, `d-lg-block`) they mean something else.
_HIDDEN = re.compile(r"(?:^|\s)(?:(?:is-)?hidden|hide|d-none|display-none|invisible)(?:\s|$)")
_ON_WIDE_SCREENS = re.compile(r":|-block|-flex|-inline")
# These say something about the whole page: that it may be commented.
_WHOLE = frozenset(("", "html", "body", "main", "article"))
# Words of lines that are rather content, outside these parts. Every number from 8 to 20 does the
# same on sets that no model was trained on.
_LEAST_WORDS = 12
_SURE = 0.5
_PERHAPS = 0.02


def silence_parts(likely: Floats, words: Floats, layout: Layout, title: str) -> Floats:
    """Return the probabilities of an article's lines, zero for those in parts that are set apart.

    They stay as they are if hardly anything else is content: then such a part is the text.
    """
    apart = _elements_apart(layout)
    if not apart:
        return likely
    # The headline is in none of them: what holds both is named for something else.
    apart -= elements_around(_headlines(layout, title), layout.parents.tolist())
    perhaps = (likely > _PERHAPS).nonzero()[0]
    is_apart = np.zeros(len(likely), bool)
    is_apart[perhaps] = are_within(perhaps, apart, layout)
    if words[~is_apart & (likely > _SURE)].sum() < _LEAST_WORDS:
        return likely
    return np.where(is_apart, np.float32(0), likely)


def _elements_apart(layout: Layout) -> set[int]:
    """Return the elements that are named for comments, or as hidden."""
    joined = "\0".join([f"{names[1]} {names[2]}" for names in layout.names]).lower()
    stems = [stem for stem in _STEMS if stem in joined]
    if not stems:
        return set()
    written = joined.split("\0")
    perhaps = {number for stem in stems for number, names in enumerate(written) if stem in names}
    is_apart = np.zeros(len(written), bool)
    for number in perhaps:
        tag, classes, *_ = layout.names[number]
        is_apart[number] = tag not in _WHOLE and (
            _COMMENTS.search(written[number]) is not None or _is_hidden(classes)
        )
    return set(is_apart[layout.names_of].nonzero()[0].tolist())


def _is_hidden(classes: str) -> bool:
    return _HIDDEN.search(classes) is not None and _ON_WIDE_SCREENS.search(classes) is None


def _headlines(layout: Layout, title: str) -> list[int]:
    """Return the elements of headlines: of lines in an h1, and of the title itself."""
    wanted = title.casefold()
    is_top = np.array([names[0] == "h1" for names in layout.names])
    found: list[int] = layout.containers[is_top[layout.names_of[layout.containers]]].tolist()
    return found + [
        int(layout.containers[line])
        for line, text in enumerate(layout.texts)
        if len(text) == len(title) and text.casefold() == wanted
    ]
