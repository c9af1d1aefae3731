"""Checks cookie files in Netscape format before a crawl; libcurl silently skips bad lines."""

import re
from pathlib import Path

from telusur.errors import UsageError

LARGEST_BYTES = 10_000_000
# libcurl ignores longer lines.
LONGEST_LINE = 5_000
_HTTP_ONLY = "#HttpOnly_"
_SET_COOKIE = "set-cookie:"
_FIELDS = "domain, TRUE or FALSE, path, TRUE or FALSE, time of expiry, name, value"
_BOOL = ("TRUE", "FALSE")
_TIME = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_DOMAIN_OF = re.compile(r";\s*domain\s*=\s*[^;\s]", re.IGNORECASE)


def check_cookies(file: str, source: str = "--cookies") -> None:
    """Refuse, in one sentence with the line number, a file without cookies or with other
    content."""
    count = 0
    for number, line in enumerate(_read(file, source).split("\n"), 1):
        line = line.rstrip("\r").lstrip(" \t")  # noqa: PLW2901
        if not line or (line.startswith("#") and not line.startswith(_HTTP_ONLY)):
            continue
        if why := _objection(line):
            raise UsageError(f"{source}: {file}, line {number}: {why}.")
        count += 1
    if not count:
        raise UsageError(
            f"{source}: {file} has no cookies; name another file, or leave out the option."
        )


def _read(file: str, source: str) -> str:
    path = Path(file)
    try:
        if not path.exists():
            raise UsageError(f"{source}: there is no file {file}.")
        if path.is_file() and path.stat().st_size > LARGEST_BYTES:
            raise UsageError(f"{source}: {file} is too large for a cookie file.")
        return path.read_bytes().decode("latin-1")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"{source}: {file} cannot be read: {why}.") from None


def _objection(line: str) -> str:
    """Return why a line is not a cookie, or an empty text."""
    if _CONTROL.search(line):
        return "this is not text; save cookies in Netscape format"
    if len(line) > LONGEST_LINE:
        return f"a cookie has at most {LONGEST_LINE:,} characters"
    if line.lower().startswith(_SET_COOKIE):
        return _objection_to_header(line[len(_SET_COOKIE) :])
    fields = [field for field in line.removeprefix(_HTTP_ONLY).split("\t") if field]
    if len(fields) not in (6, 7):  # the value may be empty
        return f"this is not a cookie; there must be seven fields separated by tabs: {_FIELDS}"
    if fields[1].upper() not in _BOOL or fields[3].upper() not in _BOOL:
        return "the second and the fourth field of a cookie must be TRUE or FALSE"
    if not _TIME.fullmatch(fields[4]):
        return "the fifth field of a cookie must be its time of expiry in seconds since 1970"
    return ""


def _objection_to_header(text: str) -> str:
    name, equals, _ = text.partition(";")[0].partition("=")
    if not equals or not name.strip():
        return "Set-Cookie: needs name=value"
    if not _DOMAIN_OF.search(text):
        return "Set-Cookie: must name the domain it is for, domain=example.org"
    return ""
