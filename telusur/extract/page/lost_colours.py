"""Text in nearly the colour of what is behind it, by the styles and old attributes of a page."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from turbohtml import Document as Tree
from turbohtml import Element, Node

from telusur.extract.style.cascade import Cascade
from telusur.extract.style.colours import (
    Colour,
    Paint,
    blend,
    is_faint,
    is_like_any,
    is_lost,
    parse_paint,
)
from telusur.extract.style.declarations import (
    MAX_STYLE_LENGTH,
    backgrounds_in,
    colours_in,
    read_declarations,
)
from telusur.extract.style.hiding import Hiding
from telusur.extract.style.lengths import pixels
from telusur.extract.style.media import Applies
from telusur.extract.style.parts import BACKGROUND, COLOUR

_MEDIA = "img,picture,video,canvas,svg,iframe,object,embed"
_BLACK: Paint = ((0, 0, 0), 1.0)
_FLOATING = ("absolute", "fixed", "sticky")
# A script makes pictures behind a text out of such attributes.
_LATER_PICTURE = ("data-b", "data-parallax", "data-image", "data-src", "data-vide")
_MOST_COLOURS = 200


class LostColours:
    """Finds the elements whose text cannot be told from its background."""

    def __init__(
        self, tree: Tree, styles: Cascade, styled: list[Element], canvas: Colour | None
    ) -> None:
        """`canvas` is the background of the page by default; None if it cannot be known."""
        self._tree = tree
        self._styles = styles
        self._styled = styled
        self._canvas = canvas
        self._behind: dict[Node, Colour | None] = {}
        self._texts: dict[Node, Paint] = {}
        self._own: dict[Element, tuple[bool, Paint | None]] = {}
        # Whether something else may be behind what is in a node, and floats or not.
        self._doubts: dict[tuple[Node, bool], bool] = {}
        # Of each colour of text, the nodes with a background like it, and those in none of these.
        self._alike: dict[Paint, tuple[set[Node], set[Node]]] = {}
        # Of all backgrounds, also of those that let something through.
        self._papers: set[Colour] = set()
        self._plain: set[Colour] = set()
        self._media: set[Node] | None = None
        self._decorated: set[Element] | None = None

    def find(self) -> dict[Element, None]:
        """Return the elements whose own text is lost, in no order."""
        found: dict[Element, None] = {}
        backgrounds = self._backgrounds()
        like = self._colours_like(backgrounds)
        coloured = list(self._coloured(like))
        papered = self._papered_like(set(like.values())) if coloured else {}
        for element, written in coloured:
            if element not in found and self._may_be_lost(element, written, papered):
                if self._is_surely_seen(element, written):
                    continue
                paint = self.colour_of(element)
                if paint is not None and self._is_lost(element, paint):
                    found[element] = None
        if self._canvas is not None:
            for element in self._papered(backgrounds):
                if element not in found and self._is_lost(element, self._text_colour(element)):
                    found[element] = None
        return found

    def colour_of(self, element: Element) -> Paint | None:
        """Return the colour that an element itself gives to its text."""
        style = self._styles.of(element, COLOUR)
        declared = style.get("-webkit-text-fill-color") or style.get("color")
        if declared is None and element.tag == "font":
            declared = element.attr("color")
        if declared is None and element.tag == "body":
            declared = element.attr("text")
        return parse_paint(declared) if declared else None

    def sets_colours(self, element: Element) -> bool:
        """Tell whether an element gives its text another colour or background."""
        return (
            self.colour_of(element) is not None
            or self._own_background(element)[0]
            or "color" in self._styles.of(element, COLOUR)
        )

    def _is_lost(self, element: Element, paint: Paint) -> bool:
        if not is_faint(paint[1]):
            behind = self._background_behind(element)
            if behind is None or not is_lost(paint, behind) or self._is_in_doubt(element):
                return False
        if self._styles.of(element, COLOUR).get("text-shadow", "none") != "none":
            return False
        return self._styles.of(element, BACKGROUND).get("background-clip") != "text"

    def _is_surely_seen(self, element: Element, written: Paint) -> bool:
        """Tell whether a text is not lost in what is behind it, if a rule gives it this colour.

        Mostly so, and then its own colour need not be known: if it is that of another rule, and is
        lost on a plain background, the element is found by that rule, unless that uses a variable.
        """
        if is_faint(written[1]) or self._has_variables:
            return False
        behind = self._background_behind(element)
        return behind is None or (behind in self._plain and not is_lost(written, behind))

    # Candidates: few texts have a colour that is a background somewhere on the page.

    def _backgrounds(self) -> set[Colour]:
        """Return the plain backgrounds that occur in the rules and elements of the page."""
        values = {
            self._styles.variable_value(value)
            for body in self._styles.bodies_about(BACKGROUND)
            for value in backgrounds_in(body)
        }
        paints = [paint for value in values if (paint := parse_paint(value))]
        found = {colour for colour, opacity in paints if opacity == 1}
        for element in self._papered_by_hand:
            _, own = self._own_background(element)
            if own is not None and own[1] == 1:
                found.add(own[0])
        if self._canvas is not None:
            found.add(self._canvas)
        backgrounds = self._plain = set(sorted(found)[:_MOST_COLOURS])
        self._papers = backgrounds | set(sorted({colour for colour, _ in paints})[:_MOST_COLOURS])
        return backgrounds

    @cached_property
    def _papered_by_hand(self) -> list[Element]:
        """Return the elements with a background by their own style or attribute."""
        styled = [each for each in self._styled if "backg" in (each.attr("style") or "").lower()]
        return styled + self._tree.select("[bgcolor]")

    @cached_property
    def _has_variables(self) -> bool:
        """Tell whether the colour of a text may be a variable, which an element may set anew."""
        return any("var(" in body for body in self._styles.bodies_about(COLOUR))

    @cached_property
    def _has_old_ones(self) -> bool:
        """Tell whether some elements have a background by an attribute of old."""
        return self._tree.select_one("[bgcolor],[background]") is not None

    def _colours_like(self, backgrounds: set[Colour]) -> dict[str, Paint]:
        """Return the declarations, as written, of a colour like a background, and that colour."""
        found: dict[str, Paint] = {}
        is_like: dict[Paint, bool] = {}
        for body in self._styles.bodies_about(COLOUR):
            for value in colours_in(body):
                paint = parse_paint(self._styles.variable_value(value))
                if paint is not None:
                    if paint not in is_like:
                        is_like[paint] = is_like_any(paint, backgrounds)
                    if is_like[paint]:
                        found[body] = paint
        return found

    def _papered_like(self, colours: set[Paint]) -> dict[Colour, set[Node]]:
        """Return the elements with a plain background by some rule, of colours like these."""
        found: dict[Colour, set[Node]] = defaultdict(set)
        wanted: dict[str, Colour] = {}
        may_hide: dict[Colour, bool] = {}
        for body in self._styles.bodies_about(BACKGROUND) if colours else ():
            for value in backgrounds_in(body):
                paint = parse_paint(self._styles.variable_value(value))
                if paint is None:
                    continue
                if paint[0] not in may_hide:
                    may_hide[paint[0]] = any(is_lost(each, paint[0]) for each in colours)
                if may_hide[paint[0]]:
                    wanted[body] = paint[0]
        for rule, body in self._styles.rules_about(BACKGROUND, wanted):
            found[wanted[body]].update(self._styles.matching(rule))
        return found

    def _coloured(self, like: Mapping[str, Paint]) -> Iterator[tuple[Element, Paint]]:
        """Yield the elements with a colour like one of the backgrounds, and that colour."""
        for rule, body in self._styles.rules_about(COLOUR, like):
            if rule.applies is Applies.ALWAYS and not (
                rule.selector.is_pseudo_element or rule.selector.is_click
            ):
                for element in self._styles.matching(rule):
                    yield element, like[body]
        may_be: dict[str, bool] = {}
        for element in self._styled:
            written = element.attr("style") or ""
            if written not in may_be:
                may_be[written] = self._may_have_it(written)
            if may_be[written] or element.tag == "font":
                paint = self.colour_of(element)
                if paint is not None:
                    yield element, paint

    def _may_have_it(self, written: str) -> bool:
        """Tell whether a style attribute may set a colour like some background.

        If a rule overrides it, the element is found by that rule.
        """
        written = written[:MAX_STYLE_LENGTH].lower()
        if "color" not in written:
            return False
        if "var(" in written:
            return True
        for part in read_declarations(written):
            for name in ("color", "-webkit-text-fill-color"):
                paint = parse_paint(part[name]) if name in part else None
                if paint is not None and is_like_any(paint, self._papers):
                    return True
        return False

    def _may_be_lost(
        self, element: Element, paint: Paint, papered: Mapping[Colour, set[Node]]
    ) -> bool:
        """Tell whether something behind an element may have such a colour."""
        if is_faint(paint[1]) or (self._canvas is not None and is_lost(paint, self._canvas)):
            return True
        if paint not in self._alike:
            alike: set[Node] = set()
            alike.update(*(papered[each] for each in papered if is_lost(paint, each)))
            if is_like_any(paint, self._plain):
                alike.update(self._papered_by_hand)
            self._alike[paint] = (alike, set())
        alike, outside = self._alike[paint]
        node: Node | None = element if alike else None
        passed: list[Node] = []
        while node is not None and node not in outside:
            if node in alike:
                return True
            passed.append(node)
            node = node.parent
        outside.update(passed)
        return False

    def _papered(self, backgrounds: set[Colour]) -> list[Element]:
        """Return the elements with a background like a colour of text, and no colour of their own.

        Colours of text are known only if all sheets of the page are.
        """
        colours = {self._text_colour(element) for element in self._tree.select("body")} | {_BLACK}
        dark = {each for each in backgrounds if any(is_lost(colour, each) for colour in colours)}
        if not dark:
            return []
        found: dict[Element, None] = {}
        wanted: dict[str, bool] = {}
        for body in self._styles.bodies_about(BACKGROUND):
            for value in backgrounds_in(body):
                paint = parse_paint(self._styles.variable_value(value))
                if paint is not None and paint[1] == 1 and paint[0] in dark:
                    wanted[body] = True
        for rule, _ in self._styles.rules_about(BACKGROUND, wanted):
            found.update(dict.fromkeys(self._styles.matching(rule)))
        found.update(dict.fromkeys(self._papered_by_hand))
        return [
            element
            for element in found
            if self.colour_of(element) is None
            and (own := self._own_background(element)[1]) is not None
            and own[0] in dark
        ]

    # What is behind a text

    def _text_colour(self, element: Element) -> Paint:
        """Return the colour of a text: its own, or that of the nearest element that sets one."""
        passed: list[Node] = []
        node: Node | None = element
        found = _BLACK
        while isinstance(node, Element):
            if node in self._texts:
                found = self._texts[node]
                break
            passed.append(node)
            own = self.colour_of(node)
            if own is not None:
                found = own
                break
            node = node.parent
        self._texts.update(dict.fromkeys(passed, found))
        return found

    def _background_behind(self, element: Element) -> Colour | None:
        """Return the nearest background; None when it cannot be known."""
        over: list[Paint] = []
        passed: list[Node] = []
        node: Node | None = element
        found = self._canvas
        while isinstance(node, Element):
            if node in self._behind:
                found = self._behind[node]
                break
            is_set, own = self._own_background(node)
            if is_set and own is None:
                found = None
                break
            if own is not None and own[1] == 1:
                found = own[0]
                break
            if own is not None and not is_faint(own[1]):
                over.append(own)
            elif not over:
                passed.append(node)
            node = node.parent
        result = blend(found, over)
        self._behind.update(dict.fromkeys(passed, result))
        self._behind[element] = result
        return result

    def _is_in_doubt(self, element: Element) -> bool:
        """Tell whether something else may be behind a text: a picture made later, or beside it.

        A text that floats may lie over a picture that stands beside it.
        """
        passed: list[tuple[Node, bool]] = []
        node: Node | None = element
        is_floating = found = False
        while isinstance(node, Element):
            if (node, is_floating) in self._doubts:
                found = self._doubts[node, is_floating]
                break
            passed.append((node, is_floating))
            if self._is_over_a_picture(node, is_floating=is_floating):
                found = True
                break
            background = self._own_background(node)[1]
            if background is not None and background[1] == 1 and not is_floating:
                break
            is_floating = self._floats(node, is_floating=is_floating)
            node = node.parent
        self._doubts.update(dict.fromkeys(passed, found))
        return found

    def _own_background(self, element: Element) -> tuple[bool, Paint | None]:
        """Return whether an element has a background, and its colour if it is plain."""
        own = self._own.get(element)
        if own is None:
            own = self._own[element] = self._find_background(element)
        return own

    def _find_background(self, element: Element) -> tuple[bool, Paint | None]:
        style = self._styles.of(element, BACKGROUND)
        if style.get("background-image", "none") != "none":
            return True, None
        if (value := style.get("background-color")) is not None:
            return True, parse_paint(value)
        if not self._has_old_ones:
            return False, None
        if (attribute := element.attr("bgcolor")) is not None:
            return True, parse_paint(attribute) or parse_paint(f"#{attribute}")
        if element.attr("background") is not None:
            return True, None
        return False, None

    def _floats(self, element: Element, *, is_floating: bool) -> bool:
        """Tell whether what was passed so far lies over its neighbours, in this element."""
        style = self._styles.of(element, Hiding.PLACE)
        position = style.get("position", "")
        if position in _FLOATING or (pixels(style.get("margin-top")) or 0) < -20:
            return True
        if self._styles.of(element, Hiding.BOX).get("display") == "grid":
            return True
        return is_floating and position != "relative"

    def _is_over_a_picture(self, element: Element, *, is_floating: bool) -> bool:
        if self._decorated is None:
            self._decorated = self._styles.decorated()
        if element in self._decorated:
            return True
        if any(name.startswith(_LATER_PICTURE) for name in element.attrs):
            return True
        if not is_floating or element.tag in ("body", "html"):
            return False
        if self._media is None:
            self._media = _above(self._tree.select(_MEDIA))
        return element in self._media


def _above(elements: Iterable[Element]) -> set[Node]:
    """Return all elements that contain one of these."""
    found: set[Node] = set()
    for element in elements:
        node = element.parent
        while node is not None and node not in found:
            found.add(node)
            node = node.parent
    return found
