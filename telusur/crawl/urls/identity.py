"""What a URL is: the form that is fetched, the key that decides sameness, its host and its site.

`parse_url` gives what browsers make of an address (WHATWG). `normalize_url` goes further and gives
the key: two URLs with one key are one page. Why each rule is there: docs/urls.md.
"""

import re
from functools import cache, lru_cache
from typing import Any

import ada_url

from telusur.crawl.url_noise import is_noise, without_sessions

MAX_URL_LENGTH = 2083
_MAX_INPUT_LENGTH = 8 * MAX_URL_LENGTH

INDEX_PAGES = frozenset(
    f"{name}.{extension}"
    for name in ("index", "default")
    for extension in ("html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi", "cfm")
)

_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# A whole escape, a lone %, or what RFC 3986 does not allow to stand unescaped in path and query.
_TO_SPELL_OUT = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]")
_SLASHES = re.compile(r"/{2,}")

_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}|\[.*\]")
_TYPED_NAME = re.compile(r"((?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_]{2,})\.?(?=[:/?#]|$)")

_ESCAPES = re.compile(r"((?:%[0-9A-Fa-f]{2})+)")
_NUMBER = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?<![0-9a-z])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![0-9a-z])"
    r"|[0-9]+",
    re.IGNORECASE,
)


def parse_url(url: str, base: str | None = None) -> str | None:
    """Return the URL as a browser requests it, or None when it is not http(s) or has no host.

    The fragment and the user name and password are left out: neither belongs into a request
    that was found on somebody's page.
    """
    if len(url) > _MAX_INPUT_LENGTH:
        return None
    try:
        href: str = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except ValueError:
        return None
    if not href.startswith(("http://", "https://")):
        return None
    href = href.partition("#")[0]
    return _without_userinfo(href) if "@" in href else href


def _without_userinfo(href: str) -> str:
    scheme, _, rest = href.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def guess_url(text: str) -> str | None:
    """Return the URL a person means who leaves out the scheme (`example.com/news`), or None.

    Only names under a top-level domain that exists are taken for a host.
    """
    text = text.strip()
    name = _TYPED_NAME.match(text)
    if name is None or len(text) > _MAX_INPUT_LENGTH:
        return None
    url = parse_url("http://" + text)
    if url is None or not _suffixes().publicsuffix(_authority_of(url).partition(":")[0], False):
        return None
    return url


def normalize_url(url: str, base: str | None = None) -> str | None:
    """Return the key of a URL, or None when there is nothing that could be fetched.

    Without scheme and base, `http://` is guessed.
    """
    parsed = parse_url(url, base)
    if parsed is None and not base:
        parsed = guess_url(url)
    return None if parsed is None else key_of(parsed)


def key_of(parsed: str) -> str | None:
    """Return the key of a URL that `parse_url` gave; twice as fast as to normalise it anew.

    1. Drop the dot behind the host.
    2. Spell escapes in one way; take session ids and doubled slashes off the path.
    3. Take tracking and session parameters off the query, and sort the rest.
    4. Where no query is left, take the index page off the path.
    """
    if len(parsed) > MAX_URL_LENGTH:
        return None
    slash = parsed.index("/", 8)
    path, _, query = parsed[slash:].partition("?")
    # 1
    origin = _origin_without_dot(parsed[:slash])
    # 2
    path = _normalize_path(path)
    # 3
    if query and (query := _normalize_query(query)):
        key = f"{origin}{path}?{query}"
    # 4
    else:
        key = origin + _without_index_page(path)
    return key if origin and len(key) <= MAX_URL_LENGTH else None


@lru_cache(maxsize=65536)
def _origin_without_dot(origin: str) -> str:
    """Return the origin without the dot of a fully qualified name; empty if a label is empty."""
    scheme, _, authority = origin.partition("://")
    name, colon, port = authority.partition(":")
    if name.startswith("["):
        return origin
    name = name.removesuffix(".")
    return f"{scheme}://{name}{colon}{port}" if all(name.split(".")) else ""


def _spellings() -> dict[str, str]:
    """Return how each escape, lone percent sign and forbidden character is spelled in a key."""
    table = {"%": "%25"}
    for byte in range(256):
        one = chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
        high, low = f"{byte >> 4:x}", f"{byte & 15:x}"
        for written in (high + low, high.upper() + low, high + low.upper(), f"{byte:02X}"):
            table["%" + written] = one
    return table | {c: f"%{ord(c):02X}" for c in map(chr, range(128)) if _TO_SPELL_OUT.match(c)}


_SPELLINGS = _spellings()


def _spell(match: re.Match[str]) -> str:
    return _SPELLINGS[match[0]]


def _normalize_path(path: str) -> str:
    path = _TO_SPELL_OUT.sub(_spell, path)
    if (";" in path or "(" in path) and (bare := without_sessions(path)) != path:
        # What is left may hold dot segments (`/..;jsessionid=1/`): let the parser see it again.
        parsed = parse_url("http://x" + bare)
        path = parsed[8:] if parsed else bare
    return _SLASHES.sub("/", path) if "//" in path else path


def _without_index_page(path: str) -> str:
    slash = path.rindex("/") + 1
    return path[:slash] if path[slash:].lower() in INDEX_PAGES else path


def _normalize_query(query: str) -> str:
    query = _TO_SPELL_OUT.sub(_spell, query).replace("%20", "+")
    pairs = []
    for parameter in query.split("&"):
        name, equals, value = parameter.partition("=")
        if not is_noise(name.lower(), value) and (name or value):
            pairs.append((name, equals + value if value else ""))
    return "&".join([name + value for name, value in sorted(pairs)])


def host_of(url: str) -> str:
    """Return the host of a parsed URL: scheme, name and port, the default port left out."""
    slash = url.find("/", 8)
    return url if slash < 0 else url[:slash]


def site_of(url: str) -> str:
    """Return the site of a parsed URL: its registered domain; for an address, address and port."""
    return _site_of_authority(_authority_of(url))


def _authority_of(url: str) -> str:
    start = 8 if url.startswith("https") else 7
    slash = url.find("/", start)
    return url[start:] if slash < 0 else url[start:slash]


@lru_cache(maxsize=65536)
def _site_of_authority(authority: str) -> str:
    if _ADDRESS.match(authority):
        return authority
    name = authority.partition(":")[0].removesuffix(".")
    if "." not in name:  # `localhost:8801` is a machine, not a domain: as with addresses
        return authority
    return _suffixes().privatesuffix(name) or name


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def url_pattern(url: str) -> str:
    """Return what a parsed URL has in common with its siblings: numbers as `#`, no values.

    `http://a.example/cal/2024/05?view=day&id=7` gives `http://a.example/cal/#/#?id&view`.
    """
    host = host_of(url)
    path, _, query = url[len(host) :].partition("?")
    pattern = host + "".join([_mask_numbers(part) for part in _ESCAPES.split(path)])
    if query:
        names = {parameter.partition("=")[0] for parameter in query.split("&")}
        pattern += "?" + "&".join(sorted({_mask_numbers(name) for name in names}))
    return pattern


def _mask_numbers(part: str) -> str:
    return part if part.startswith("%") else _NUMBER.sub("#", part)
