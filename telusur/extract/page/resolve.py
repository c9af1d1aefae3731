"""Resolves the references of a page to absolute URLs, like a browser."""

import re
from functools import lru_cache

import ada_url

MAX_URL_LENGTH = 2083
MAX_REMEMBERED = 1000
_NOT_PAGES = (
    "#",
    "javascript:",
    "mailto:",
    "tel:",
    "data:",
    "about:",
    "sms:",
    "whatsapp:",
    "blob:",
)
_SPACES = "\t\n\x0c\r "
# Plain relative references without escapes, perhaps from the root or with `../`, perhaps with a
# fragment: they are simply appended to the base. The parts cannot match the same text, so it takes
# linear time.
_PLAIN = re.compile(
    r"(/|(?:\.\./)*)((?:\w[\w~-]*(?:\.[\w~-]+)*(?:/(?!/)|(?=#|\Z)))+)(?:#.*)?", re.A | re.S
)


# Absolute addresses that are in their WHATWG form already, perhaps with a fragment.
_PLAIN_ABSOLUTE = re.compile(
    r"(https?://(?!\w*xn--|[\w.-]*\.xn--)(?:[a-z0-9][a-z0-9-]*\.)+[a-z]+/(?:\w[\w.~-]*/)*(?:\w[\w.~-]*)?"
    r"(?:\?[\w.~&=-]+)?)(?:#.*)?",
    re.A | re.S,
)
_PLAIN_PAGE = re.compile(
    r"(https?://(?:(?:[a-z0-9-]+\.)+[a-z]+|127(?:\.[1-9]?\d){3}:[1-9]\d{3})/(?:\w[\w.~-]*/)*)"
    r"(?:\w[\w.~-]*)?",
    re.A,
)


class Resolver(dict[str, str | None]):
    """The references from the pages of one directory, each resolved once: `resolver[reference]`.

    Gives an absolute http(s) URL without fragment in its WHATWG form, or None. References that
    begin with a question mark depend on the page itself: for them there is `resolve_url`.
    """

    def __init__(self, directory: str) -> None:
        super().__init__()
        self._directory = directory
        self._root = directory[: directory.index("/", 8) + 1] if directory else ""

    def __missing__(self, reference: str) -> str | None:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        target = self[reference] = self._resolve(reference)
        return target

    def _resolve(self, reference: str) -> str | None:
        if self._directory and (plain := _PLAIN.fullmatch(reference)) is not None:
            start = self._root if plain[1] == "/" else self._above(len(plain[1]) // 3)
            url = start + plain[2]
            return url if len(url) <= MAX_URL_LENGTH else None
        if (plain := _PLAIN_ABSOLUTE.fullmatch(reference)) is not None:
            return plain[1] if len(plain[1]) <= MAX_URL_LENGTH else None
        reference = reference.strip(_SPACES)
        if not reference or len(reference) > 2 * MAX_URL_LENGTH:
            return None
        if reference[:11].lower().startswith(_NOT_PAGES):
            return None
        # References from the root are shared by the whole site.
        is_from_root = reference[0] == "/" and reference[1:2] not in ("/", "\\")
        return _join(self._root if is_from_root else self._directory, reference.partition("#")[0])

    def _above(self, steps: int) -> str:
        """Return the directory `steps` levels up; above the root is the root."""
        directory = self._directory
        for _ in range(steps):
            if directory == self._root:
                break
            directory = directory[: directory.rindex("/", 0, -1) + 1]
        return directory


def resolve_url(base: str, reference: str) -> str | None:
    """Return an absolute http(s) URL without fragment in its WHATWG form, or None."""
    if reference.lstrip(_SPACES)[:1] == "?":
        return _join(base, reference.strip(_SPACES).partition("#")[0])
    return resolver_of(base)[reference]


def resolver_of(base: str) -> Resolver:
    """Return the resolver of a page; pages of one directory share it."""
    return _resolver_of_directory(_directory_of(base))


@lru_cache(maxsize=16)
def _resolver_of_directory(directory: str) -> Resolver:
    return Resolver(directory)


@lru_cache(maxsize=64)
def _directory_of(base: str) -> str:
    """Return the base up to its last slash, in its WHATWG form; empty when it is no http(s) URL."""
    plain = _PLAIN_PAGE.fullmatch(base)
    if plain is not None:
        return plain[1]
    url = _join("", base) if base.startswith(("http://", "https://")) else None
    return url.partition("?")[0].rpartition("/")[0] + "/" if url else ""


@lru_cache(maxsize=16_384)
def _join(base: str, reference: str) -> str | None:
    """Join and cache: most links of a page were on the page before it."""
    try:
        url: str = ada_url.join_url(base, reference) if base else ada_url.URL(reference).href
    except (ValueError, UnicodeError):
        return _join("", reference) if base else None  # the base may be invalid
    url = url.partition("#")[0]
    if not url.startswith(("http://", "https://")) or len(url) > MAX_URL_LENGTH:
        return None
    return url
