"""Parts of an article's page that their names set apart: readers' comments, and what is hidden."""

import re

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats
from telusur.extract.content.element_names import COMMENTS, Names, senses_of_all
from telusur.extract.content.nesting import are_within, elements_around
from telusur.extract.page.layout import Layout

# Of names about discussion and judgement, those of readers' comments, as programmers of different
# countries spell them. No names of comments: "nocomments", "commentary", sports commentators.
_COMMENTS = re.compile(
    r"(?<!no)(?<!no-)(?<!no_)comment(?!ary|ator)|comentari|komment(?:ar|t)|koment(?:ar|ář)|disqus"
    r"|\byorum|\breacties?\b|otzyv|diskuse|diskuze|hozzaszol|binhluan|pinglun|liuyan|\btanggapan\b"
    r"|\bsxoli"
)
# Classes by which common style sheets hide an element until a script shows it. Beside a class for
# wider screens (`md:block`, `d-lg-block`) they mean something else.
_HIDDEN = re.compile(r"(?:^|\s)(?:(?:is-)?hidden|hide|d-none|display-none|invisible)(?:\s|$)")
_STEMS_OF_HIDDEN = ("hid", "-none", "invisible")
_ON_WIDE_SCREENS = re.compile(r":|-block|-flex|-inline")
# These say something about the whole page: that it may be commented.
_WHOLE = frozenset(("", "html", "body", "main", "article"))
# Words of lines that are rather content, outside these parts. Every number from 8 to 20 does the
# same on sets that no model was trained on.
_LEAST_WORDS = 12
_SURE = 0.5
_PERHAPS = 0.02


def silence_parts(
    likely: Floats,
    words: Floats,
    layout: Layout,
    title: str,
    senses: NDArray[np.int64] | None = None,
) -> Floats:
    """Return the probabilities of an article's lines, zero for those in parts that are set apart.

    They stay as they are if hardly anything else is content: then such a part is the text. `senses`
    are those of the names of the page's elements.
    """
    apart = _elements_apart(layout, senses_of_all(layout.names) if senses is None else senses)
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


def _elements_apart(layout: Layout, senses: NDArray[np.int64]) -> set[int]:
    """Return the elements that are named for comments, or as hidden."""
    perhaps = set((senses & COMMENTS).nonzero()[0].tolist())
    # Within longer words, too: "usercomments".
    perhaps.update(
        number for number, names in enumerate(layout.names)
        if "omment" in names[1] or "omment" in names[2]
    )  # fmt: skip
    apart = [number for number in perhaps if _is_of_comments(layout.names[number])]
    classes = [names[1] for names in layout.names]
    joined = "\0".join(classes)
    if any(stem in joined for stem in _STEMS_OF_HIDDEN):
        apart += [number for number, each in enumerate(classes) if _is_hidden(each)]
    is_apart = np.zeros(len(classes), bool)
    is_apart[[number for number in apart if layout.names[number][0] not in _WHOLE]] = True
    return set(is_apart[layout.names_of].nonzero()[0].tolist()) if apart else set()


def _is_of_comments(names: Names) -> bool:
    return _COMMENTS.search(f"{names[1]} {names[2]}".lower()) is not None


def _is_hidden(classes: str) -> bool:
    return (
        any(stem in classes for stem in _STEMS_OF_HIDDEN)
        and _HIDDEN.search(classes) is not None
        and _ON_WIDE_SCREENS.search(classes) is None
    )


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
