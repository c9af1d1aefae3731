"""One page read by selectolax: its title, its text and its links."""

from selectolax.lexbor import LexborHTMLParser


def read(body: bytes) -> tuple[str, str, list[str]]:
    """Return title, visible text and references of a page."""
    tree = LexborHTMLParser(body)
    references = [node.attributes.get("href") or "" for node in tree.css("a[href]")]
    title = tree.css_first("title")
    name = title.text(strip=True) if title is not None else ""
    tree.strip_tags(["script", "style", "head"])
    text = tree.body.text(separator=" ") if tree.body is not None else ""
    return name, text, references
