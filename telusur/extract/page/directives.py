"""Directives of a page for crawlers and browsers: robots, meta refresh, rendering."""

import re

from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.page.dom import TagIndex
from telusur.extract.page.resolve import resolve_url

_REFRESH = re.compile(
    r"\s*\d*(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(\S.*))",
    re.IGNORECASE | re.DOTALL,
)
_APP_ROOTS = (
    "#root,#app,#__next,#__nuxt,#___gatsby,#svelte,#main-app,app-root,[ng-app],[data-reactroot]"
)
_HARDLY_ANY_TEXT = 200


def read_robots(meta: dict[str, list[str]]) -> tuple[bool, bool]:
    """Return noindex and nofollow for all robots or for us; the most restrictive wins."""
    words: set[str] = set()
    for name in ("robots", "telusur"):
        for value in meta.get(name, ()):
            words.update(re.split(r"[\s,;]+", value.lower()))
    return bool(words & {"noindex", "none"}), bool(words & {"nofollow", "none"})


def find_refresh(tags: TagIndex, base: str) -> str | None:
    """Return the target of a meta refresh, or None; one in noscript is ignored."""
    for element in _orders(tags)[:50]:
        if (element.attr("http-equiv") or "").strip().lower() != "refresh":
            continue
        if element.closest("noscript,template") is not None:
            continue
        match = _REFRESH.match((element.attr("content") or "")[:5000])
        if match is None:
            return None
        return resolve_url(base, next((group for group in match.groups() if group), ""))
    return None


def _orders(tags: TagIndex) -> list[Element]:
    """Return the meta elements that act like response headers (`http-equiv`)."""
    orders = [each for each in tags["meta"] if each.attr("http-equiv") is not None]
    return [each for each in orders if each.attr("content") is not None]


def _may_draw(script: Element) -> bool:
    """Tell whether a script may show something: it is not data, nor a template."""
    kind = script.attr("type")
    if kind is None or script.attr("src") is not None:
        return True
    return kind.lower() == "module" or "javascript" in kind.lower()


def needs_browser(tree: Tree, tags: TagIndex, text_length: int, links: int) -> bool:
    """Tell whether the page is an empty shell that a script fills.

    The visible tree has hardly any text, there are scripts, and either nothing is visible or a root
    element of a common framework is empty.
    """
    if text_length >= _HARDLY_ANY_TEXT or not any(map(_may_draw, tags["script"])):
        return False
    if text_length < 20 and links <= 5:
        return True
    return any(len(root.text.strip()) < 50 for root in tree.select(_APP_ROOTS)[:5])
