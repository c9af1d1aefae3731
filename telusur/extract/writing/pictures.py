"""Which images belong to the content: those whose surroundings are content, or show nothing else.

The smallest element around an image that has text decides: of a teaser it is the teaser, of a
picture between two paragraphs it is the article. Captions do not count.
"""

import re

from turbohtml import Element

from telusur.extract.content.element_names import Names
from telusur.extract.document import PageReading
from telusur.extract.page.layout import Layout

FIGURE_CLASSES = re.compile(r"(?:^|\s)(?:wp-caption|thumb|thumbinner)(?:\s|$)", re.IGNORECASE)
CAPTION_CLASSES = re.compile(
    r"(?:^|[\s_-])(?:fig|thumb|wp-)?caption(?:s|[-_]?text|[-_]inner)?(?:\s|$)", re.IGNORECASE
)
_MOST_SHARE_OF_OTHERS = 0.4
_MOST_AROUND = 300
_TINY = 50
_FURNITURE = re.compile(
    r"avatar|logo|(?:^|[\s_-])icons?(?:[\s_-]|$)|emoji|smil[ei]|spacer|pixel|captcha|badge|button",
    re.IGNORECASE,
)
_BESIDE = frozenset(("nav", "footer", "aside", "form", "dialog"))
_MAIN = frozenset(("article", "main", "figure"))


def is_caption(names: Names) -> bool:
    """Tell whether an element with these names is the caption of an image."""
    return names[0] == "figcaption" or bool(names[1] and CAPTION_CLASSES.search(names[1]))


def is_decoration(image: Element) -> bool:
    """Tell whether an image is tiny, or says that it is a logo, an icon, a smiley ..."""
    named = f"{image.attr('class') or ''} {image.attr('id') or ''}"
    sizes = (image.attr("width") or "", image.attr("height") or "")
    if any(size.isdecimal() and len(size) < 5 and int(size) < _TINY for size in sizes):
        return True
    return bool(_FURNITURE.search(named))


class Pictures:
    """The images of a page of which some lines are content."""

    def __init__(self, reading: PageReading) -> None:
        self._layout = layout = reading.layout
        self._is_all = reading.lines is None
        self._known: dict[int, bool] = {}
        if self._is_all:
            return
        content = set(reading.lines or ())
        neutral = [label not in ("content", "other") for label in reading.labels]
        self._ends = _ends_of(layout)
        self._content, self._others = [0], [0]
        captions = self._captions()
        for line, container in enumerate(layout.containers.tolist()):
            size = 0 if container in captions else len(layout.texts[line])
            is_content = line in content
            self._content.append(self._content[-1] + size * is_content)
            is_other = not is_content and not neutral[line]
            self._others.append(self._others[-1] + size * is_other)
        told = [line for line, each in enumerate(neutral) if each]
        self._first = min([*content, *told], default=0)
        self._last = max(content, default=0)

    def belongs(self, image: Element, container: int) -> bool:
        """Tell whether an image in a container is part of the content."""
        if is_decoration(image):
            return False
        if self._is_all:
            return bool((image.attr("alt") or "").strip())
        found = self._known.get(container)
        if found is None:
            found = self._known[container] = self._decide(container)
        return found

    def _decide(self, container: int) -> bool:
        layout = self._layout
        if container >= len(layout.starts):
            return False
        starts, parents = layout.starts, layout.parents
        at = int(starts[container])
        if at > self._last + 1:
            return False
        decided: bool | None = None
        is_main = False
        for _ in range(_MOST_AROUND):
            if container < 0:
                break
            tag = layout.names[layout.names_of[container]][0]
            is_main = is_main or tag in _MAIN
            if tag in _BESIDE:
                return False
            start, end = int(starts[container]), self._ends[container]
            content = self._content[end] - self._content[start]
            others = self._others[end] - self._others[start]
            if decided is None and content + others:
                decided = others <= _MOST_SHARE_OF_OTHERS * (content + others)
                if not decided:
                    return False
            container = int(parents[container])
        return bool(decided) and (is_main or at >= self._first)

    def _captions(self) -> set[int]:
        """Return the containers that are captions or within one."""
        layout = self._layout
        are_captions = [is_caption(names) for names in layout.names]
        found: set[int] = set()
        if any(are_captions):
            kinds = layout.names_of.tolist()
            for number, parent in enumerate(layout.parents.tolist()):
                if parent in found or are_captions[kinds[number]]:
                    found.add(number)
        return found


def _ends_of(layout: Layout) -> list[int]:
    """Return for each container the number of lines up to its end."""
    ends: list[int] = layout.starts.tolist()
    parents = layout.parents.tolist()
    for line, container in enumerate(layout.containers.tolist(), 1):
        ends[container] = line
    for number in range(len(ends) - 1, 0, -1):
        parent = parents[number]
        ends[parent] = max(ends[parent], ends[number])
    return ends
