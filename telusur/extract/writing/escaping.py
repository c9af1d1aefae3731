"""Text made fit for markup."""

import re

# Characters that XML 1.0 cannot represent, escaped or not.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")


def clean(text: str) -> str:
    """Return text without characters that XML cannot hold: controls and lone surrogates."""
    return _IMPOSSIBLE.sub("", text)


def escape(text: str) -> str:
    """Return text escaped for markup, between tags or in double quotes."""
    text = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")
