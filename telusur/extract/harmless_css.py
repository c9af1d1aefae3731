"""Styles of strangers made harmless: they colour and place, and load and cover nothing."""

import re

MAX_SHEETS_LENGTH = 300_000  # of all sheets of a page; a browser reads that lightly
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# An escape could spell `url` or `</style` so that no pattern sees it; icons of fonts we do not
# load are all that is lost with it.
_ESCAPE = re.compile(r"\\(?:[0-9a-fA-F]{1,6}\s?|.|\Z)", re.DOTALL)
_AT_RULE = re.compile(r"@(?:import|charset|namespace)[^;{}]*;?", re.IGNORECASE)
_LOADING = re.compile(
    r"(?<![\w-])(?:url|src|image|image-set|-webkit-image-set|cross-fade|element|paint|expression)"
    r"\s*\((?:[^()\"'{};]|\"[^\"]*\"|'[^']*')*\)?",
    re.IGNORECASE,
)
_COVERING = re.compile(r"(?<![\w-])position\s*:\s*(?:fixed|sticky|-webkit-sticky)", re.IGNORECASE)
_RUNNING = re.compile(r"(?<![\w-])(?:behavior|-moz-binding)\s*:", re.IGNORECASE)
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f<\ud800-\udfff]+|(?:java|vb)script\s*:", re.I)


def harmless_sheet(sheet: str) -> str:
    """Return a style sheet that loads nothing, runs nothing and cannot end its element."""
    plain = _ESCAPE.sub("", _COMMENT.sub(" ", sheet))
    # A blank, not nothing: what stood on both sides must not become one word.
    plain = _AT_RULE.sub(" ", _FORBIDDEN.sub(" ", plain))
    plain = _LOADING.sub("none", plain)
    return _RUNNING.sub("x-dropped:", _COVERING.sub("position:static", plain)).strip()


def harmless_style(style: str) -> str:
    """Return the declarations of a style attribute under the same rules, or an empty string."""
    return harmless_sheet(style.replace("{", ";").replace("}", ";").replace("@", " "))
