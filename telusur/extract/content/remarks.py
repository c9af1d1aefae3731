"""What readers wrote below an article is not its text: elements that are named for comments."""

import re

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.nesting import are_within, elements_around
from telusur.extract.page.layout import Layout

# In class names and ids, as programmers of different countries spell them.
_STEMS = (
    "comment", "comentari", "kommen", "koment", "disqus", "dsq-", "yorum", "reactie", "otzyv",
    "diskuse", "diskuze", "hozzaszol", "binhluan", "pinglun", "liuyan", "tanggapan", "sxoli",
)  # fmt: skip
_NAMED = re.compile(
    # No names of comments: "nocomments", "commentary" and the sports of commentators.
    r"(?<!no)(?<!no-)(?<!no_)comment(?!ary|ator)|komment(?:ar|t)|koment(?:ar|ář)|disqus|\bdsq-"
    r"|comentari|\byorum|\breacties?\b|otzyv|diskuse|diskuze|hozzaszol|binhluan|pinglun|liuyan"
    r"|\btanggapan\b|\bsxoli"
)
# These say something about the whole page: that it may be commented.
_WHOLE = frozenset(("", "html", "body", "main", "article"))
# Words of lines that are rather content, outside the comments. Every number from 8 to 20 does the
# same on sets that no model was trained on.
_LEAST_WORDS = 12
_SURE = 0.5
_PERHAPS = 0.02


def silence_comments(likely: Floats, words: Floats, layout: Layout, title: str) -> Floats:
    """Return the probabilities of an article's lines, zero for those in comments.

    They stay as they are if hardly anything else is content: then the comments are the text.
    """
    named = _elements_named_so(layout)
    if not named:
        return likely
    # The headline is not in the comments: what holds both is named for something else.
    named -= elements_around(_headlines(layout, title), layout.parents.tolist())
    perhaps = (likely > _PERHAPS).nonzero()[0]
    is_comment = np.zeros(len(likely), bool)
    is_comment[perhaps] = are_within(perhaps, named, layout)
    if words[~is_comment & (likely > _SURE)].sum() < _LEAST_WORDS:
        return likely
    return np.where(is_comment, np.float32(0), likely)


def _elements_named_so(layout: Layout) -> set[int]:
    """Return the elements that are named for comments."""
    joined = "\0".join([f"{names[1]} {names[2]}" for names in layout.names]).lower()
    stems = [stem for stem in _STEMS if stem in joined]
    if not stems:
        return set()
    written = joined.split("\0")
    perhaps = {number for stem in stems for number, names in enumerate(written) if stem in names}
    is_named = np.zeros(len(written), bool)
    for number in perhaps:
        is_whole = layout.names[number][0] in _WHOLE
        is_named[number] = not is_whole and _NAMED.search(written[number]) is not None
    return set(is_named[layout.names_of].nonzero()[0].tolist())


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
