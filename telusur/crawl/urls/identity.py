"""What a URL is: the form that is fetched, the key that decides sameness, its host and its site.

`parse_url` gives what browsers make of an address (WHATWG). `normalize_url` goes further and gives
the key: two URLs with one key are one page. Why each rule is there: docs/urls.md.
"""

import re
from collections.abc import Container
from functools import cache, lru_cache
from typing import Any

import ada_url

from telusur.crawl.urls.noise import is_noise, without_sessions
from telusur.errors import UsageError

MAX_URL_LENGTH = 2083
_MAX_INPUT_LENGTH = 8 * MAX_URL_LENGTH

# The files that servers serve for a directory: docs/decisions/0057-index-pages.md.
_INDEX_ENDINGS = ("html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi", "cfm")
_DEFAULT_ENDINGS = ("htm", "asp", "aspx")
INDEX_PAGES = frozenset(
    [f"index.{ending}" for ending in _INDEX_ENDINGS]
    + [f"default.{ending}" for ending in _DEFAULT_ENDINGS]
)
# Names that once counted as index pages; older collections know such a page by its directory.
FORMER_INDEX_PAGES = frozenset(f"default.{ending}" for ending in _INDEX_ENDINGS) - INDEX_PAGES

_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_TYPED_USERINFO = re.compile(
    r"\s*(?!mailto:)(?:[a-z][a-z0-9+.-]*:(?=[/\\])|https?:)?[/\\]*([^/\\?#]*@)", re.IGNORECASE
)
# A whole escape, a lone %, or a character that RFC 3986 forbids unescaped in path and query.
_TO_SPELL_OUT = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]")
_SLASHES = re.compile(r"/{2,}")

_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}|\[.*\]")
_TYPED_NAME = re.compile(r"((?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_]{2,})\.?(?=[:/?#]|$)")
# A machine that needs no public name: localhost and names below it, addresses of version 4 and 6.
_TYPED_MACHINE = re.compile(
    r"(?:(?:[a-z0-9-]+\.)*localhost|[0-9]+(?:\.[0-9]+){3}|\[[0-9a-f:.]+\])(?=[:/?#]|$)",
    re.IGNORECASE,
)
_TYPED_PORT = re.compile(r"[^/?#\]]*\]?:([0-9]+)(?=[/?#]|$)")

_ESCAPES = re.compile(r"((?:%[0-9A-Fa-f]{2})+)")
_NUMBER = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?<![0-9a-z])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![0-9a-z])"
    r"|[0-9]+",
    re.IGNORECASE,
)


def parse_url(url: str, base: str | None = None) -> str | None:
    """Return the URL as a browser requests it, or None when it is not http(s) or has no host.

    The fragment, the user name and the password are left out: they do not belong in a request for a
    link found on somebody's page.
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


def check_userinfo(typed: str) -> None:
    """Refuse an address with a password: it would be stored and shown with every page."""
    if found := _TYPED_USERINFO.match(typed):
        raise UsageError(
            f"{typed.replace(found[1], '').strip()}: leave user name and password out of "
            "the address, "
            "because they would be stored; send them with --header 'Authorization: Basic ...' or a "
            '[host."..."] table of telusur.toml.'
        )


def guess_url(text: str, usual: str = "https") -> str | None:
    """Return the URL meant by an address without a scheme (`example.com/news`), or None.

    Names under a top-level domain that exists get the usual scheme. Names with another port than
    443, and machines without a public name (`localhost`, `192.168.1.5`), get http.
    """
    text = text.strip()
    if len(text) > _MAX_INPUT_LENGTH:
        return None
    port = _TYPED_PORT.match(text)
    is_machine = _TYPED_MACHINE.match(text) is not None
    if not is_machine and not _TYPED_NAME.match(text):
        return None
    if port is not None:
        usual = "https" if int(port[1][:6]) == 443 else "http"
    elif is_machine:
        usual = "http"
    url = parse_url(f"{usual}://{text}")
    return url if url and (is_machine or port or _has_public_name(url)) else None


def _has_public_name(url: str) -> bool:
    name = _authority_of(url).partition(":")[0]
    return _suffixes().publicsuffix(name, False) is not None


def complete_url(typed: str, known: Container[str] = ()) -> str | None:
    """Return a start URL as it is fetched, or None if it is not a web address.

    One without a scheme gets the scheme it has among the known URLs: a crawl that began with
    `example.com` when that meant http resumes with the same pages.
    """
    parsed = parse_url(typed)
    if parsed is not None:
        return parsed
    usual, before = guess_url(typed), guess_url(typed, "http")
    return before if before in known and usual not in known else usual


def normalize_url(url: str, base: str | None = None) -> str | None:
    """Return the key of a URL, or None when there is nothing that could be fetched.

    Without scheme and base, `http://` is guessed, as other normalisers do.
    """
    parsed = parse_url(url, base)
    if parsed is None and not base:
        parsed = guess_url(url, "http")
    return None if parsed is None else key_of(parsed)


def key_of(parsed: str) -> str | None:
    """Return the key of a URL from `parse_url`; twice as fast as normalising it again.

    1. Drop the dot after the host.
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


def keys_meant(typed: str) -> tuple[str, ...]:
    """Return the keys that a typed URL may mean, the likeliest first.

    There are several if the scheme is left out.
    """
    parsed = parse_url(typed)
    urls = (parsed,) if parsed else (guess_url(typed), guess_url(typed, "http"))
    keys = (key_of(url) for url in urls if url is not None)
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def former_key_of(key: str) -> str | None:
    """Return another key by which older collections may know this page, or None."""
    directory, slash, name = key.rpartition("/")
    return directory + slash if name.lower() in FORMER_INDEX_PAGES else None


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
    """Return the spelling of each escape, lone percent sign and forbidden character in a key."""
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
        # The rest may contain dot segments (`/..;jsessionid=1/`): parse it again.
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
    if "." not in name:  # `localhost:8801` is a machine, not a domain: treated like an address
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
