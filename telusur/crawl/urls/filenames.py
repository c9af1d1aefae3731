"""A file name for every URL, and back: one to one, legal on every file system.

Only lower-case letters, digits and `- . _ + , =` are used, so names survive systems that fold
case or forbid `:?*"<>|\\`. A name longer than 200 bytes becomes a path of several directories.
"""

import re

from telusur.errors import UsageError

SEGMENT_LENGTH = 200
_SCHEMES = ("http://", "https://")

# `+a` is A, `,` is a slash, `=3f` is the byte 3F (a question mark).
_UNSAFE = re.compile(r"[^a-z0-9\-._]")
_SHORTHAND = re.compile(r"\+([a-z])|,|=([0-9a-f]{2})")
_WELL_FORMED = re.compile(r"(?:[a-z0-9\-._,]|\+[a-z]|=[0-9a-f]{2})+")

# A directory ends with `=` and names in it begin with `_`. So no directory has the name of a file,
# and no part is called `con` or `aux.txt` or ends with a dot (all impossible on Windows).
_DIRECTORY_END = "="
_CONTINUATION = "_"


def file_name_of(url: str) -> str:
    """Return the file name of a URL; `url_of` leads back.

    A name of more than 200 bytes becomes a relative path, its directories separated by `/`.
    """
    if not url.lower().startswith(_SCHEMES):
        raise UsageError(f"{url[:200]!r} has no file name; give a URL with http:// or https://.")
    return _name_of(url)


def _name_of(url: str) -> str:
    text = url.encode("utf-8", "surrogatepass").decode("latin-1")
    name = _UNSAFE.sub(_escape, text)
    if name.endswith("."):
        name = name[:-1] + "=2e"
    parts = [name[at : at + SEGMENT_LENGTH] for at in range(0, len(name), SEGMENT_LENGTH)]
    return f"{_DIRECTORY_END}/{_CONTINUATION}".join(parts)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character == "/":
        return ","
    if "A" <= character <= "Z":
        return "+" + character.lower()
    return f"={ord(character):02x}"


def url_of(file_name: str) -> str:
    """Return the URL whose file name this is; directories are separated by `/`.

    A name that `file_name_of` never makes is refused: each URL has one name.
    """
    url = _decode(file_name.replace(f"{_DIRECTORY_END}/{_CONTINUATION}", ""))
    if not url.lower().startswith(_SCHEMES) or _name_of(url) != file_name:
        raise UsageError(f"{file_name[:200]!r} is not the file name of a URL.")
    return url


def _decode(name: str) -> str:
    """Return the decoded name; empty if it is invalid."""
    if not _WELL_FORMED.fullmatch(name):
        return ""
    try:
        return _SHORTHAND.sub(_unescape, name).encode("latin-1").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return ""


def _unescape(match: re.Match[str]) -> str:
    upper, escaped = match.groups()
    if upper:
        return str(upper).upper()
    return chr(int(escaped, 16)) if escaped else "/"
