"""The main image of a page: the one named for previews, or the first large image of its content."""

from typing import Any

from turbohtml import Element

from telusur.extract.facts.json_ld import StructuredData
from telusur.extract.facts.statements import Statements
from telusur.extract.page.dom import TagIndex
from telusur.extract.page.resolve import resolve_url

_META_NAMES = (
    "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
    "image", "thumbnail",
)  # fmt: skip
_JSON_NAMES = ("url", "contentUrl", "@id")
#: How many images are examined on a page that names none: the main one is near the beginning.
_MOST_IMAGES = 50
_CONTENT = "article,main,figure"
_AROUND_CONTENT = "header,nav,footer,aside,noscript,template"
#: Smaller images, in CSS pixels, are icons or portraits.
_LEAST_WIDTH = 200
_LEAST_HEIGHT = 120


def find_image(
    tags: TagIndex, meta: Statements, data: StructuredData, base: str, *, with_markup: bool
) -> str:
    """Return the absolute URL of the main image; empty if there is none.

    1. What meta elements name for previews. 2. What JSON-LD names. 3. With the markup of the page,
    the first large image of its content.
    """
    for name in _META_NAMES:  # 1
        for value in meta.get(name, ()):
            if url := resolve_url(base, value):
                return url
    facts, page = data.facts, data.page
    for stated in (facts.get("image"), page.get("primaryImageOfPage"), page.get("image")):  # 2
        if stated and (url := resolve_url(base, _address_in(data, stated))):
            return url
    return _first_large(tags, base) if with_markup else ""  # 3


def _address_in(data: StructuredData, value: Any) -> str:
    """Return the address in what JSON-LD calls an image: text, an object, or a list of either."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = data.by_id.get(str(value.get("@id")), value) if "url" not in value else value
        found = (value.get(name) for name in _JSON_NAMES)
        value = next((each for each in found if isinstance(each, str)), "")
    return value if isinstance(value, str) else ""


def _first_large(tags: TagIndex, base: str) -> str:
    for element in tags["img"][:_MOST_IMAGES]:
        source = element.attr("src") or ""
        if not source or source.startswith("data:"):  # a script puts the image there
            source = element.attr("data-src") or ""
        if source and _is_large(element) and (url := resolve_url(base, source)):
            return url
    return ""


def _is_large(element: Element) -> bool:
    """Tell whether an image of the content is large; one that states no size may be."""
    width, height = _pixels(element.attr("width")), _pixels(element.attr("height"))
    if (width or _LEAST_WIDTH) < _LEAST_WIDTH or (height or _LEAST_HEIGHT) < _LEAST_HEIGHT:
        return False
    if element.closest(_AROUND_CONTENT) is not None:
        return False
    return bool(width or height) or element.closest(_CONTENT) is not None


def _pixels(stated: str | None) -> int:
    """Return a width or height that is stated in pixels; 0 if it is not."""
    number = (stated or "").strip().removesuffix("px").rstrip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
