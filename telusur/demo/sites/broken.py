"""Ways to damage a page so that browsers still show it and strict parsers stumble."""

import re
from collections.abc import Callable

_CLOSING = re.compile(r"</(?:p|li|div|main|body|html|td|tr|table)>\n?")


def leave_unclosed(html: str) -> str:
    """Drop most closing tags, and all quotes of attributes that are not needed."""
    return re.sub(r'="([\w/.-]+)"', r"=\1", _CLOSING.sub("\n", html))


def cut_off(html: str) -> str:
    """Stop in the middle of a link of the footer, as a broken connection does."""
    return html[: html.index("Museum shop")]


def misnest(html: str) -> str:
    """Lay the page out in tables that overlap, with emphasis closed in the wrong order."""
    html = html.replace('<div class="exhibit">', "<table><tr><td><font size=3><table><tr><td>")
    html = html.replace("<em>", "<i><b>").replace("</em>", "</i></b>")
    return html.replace("</div><!-- exhibit -->", "</table></font></td></table>")


BREAKERS: dict[str, Callable[[str], str]] = {
    "unclosed": leave_unclosed,
    "cut-off": cut_off,
    "misnested": misnest,
}
