"""References of a page to absolute URLs, as a browser reads them."""

import re
from functools import lru_cache

import ada_url

MAX_URL_LENGTH = 2083
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
_PLAIN = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_.~/-]*")


def resolve_url(base: str, reference: str) -> str | None:
    """Return an absolute http(s) URL without fragment in its WHATWG form, or None."""
    reference = reference.strip(_SPACES)
    if not reference or len(reference) > 2 * MAX_URL_LENGTH:
        return None
    if reference[:11].lower().startswith(_NOT_PAGES):
        return None
    reference = reference.partition("#")[0]
    is_from_root = reference[0] == "/" and reference[1:2] not in ("/", "\\")
    if _is_plain(reference) and base.startswith(("http://", "https://")):
        url = (_origin_of(base)[:-1] if is_from_root else _directory_of(base)) + reference
        return url if len(url) <= MAX_URL_LENGTH else None
    return _join(_origin_of(base) if is_from_root else base, reference)


def _is_plain(reference: str) -> bool:
    """Tell names without escapes or dot segments: joining them is putting them behind the base."""
    is_odd = "/." in reference or "//" in reference
    return not is_odd and _PLAIN.fullmatch(reference) is not None


@lru_cache(maxsize=64)
def _directory_of(base: str) -> str:
    """Return the base up to its last slash, in its WHATWG form."""
    url = _join("", base) or base
    return url.partition("?")[0].rpartition("/")[0] + "/"


@lru_cache(maxsize=64)
def _origin_of(base: str) -> str:
    """Return what a reference from the root needs of the base: the pages of a site share it."""
    scheme, separator, rest = (_join("", base) or base).partition("://")
    return f"{scheme}{separator}{rest.partition('/')[0]}/" if separator else base


@lru_cache(maxsize=16_384)
def _join(base: str, reference: str) -> str | None:
    """Join once: most links of a page were on the page before it."""
    try:
        url: str = ada_url.join_url(base, reference) if base else ada_url.URL(reference).href
    except (ValueError, UnicodeError):
        return _join("", reference) if base else None  # the base may be at fault
    url = url.partition("#")[0]
    if not url.startswith(("http://", "https://")) or len(url) > MAX_URL_LENGTH:
        return None
    return url
