"""Signs of the page type in the URL and the data of a page."""

import re
from functools import lru_cache

from telusur.extract.facts.metadata import Metadata

# Each row is one sign: a column. Parts of the declared types of things ...
_THINGS = (
    ("product", "offer"),
    ("article", "posting", "report"),
    ("forum", "qapage", "question", "discussion"),
    ("collection", "itemlist", "searchresults", "offercatalog"),
    ("recipe", "howto", "techarticle", "apireference"),
    ("faq",),
    ("event", "jobposting", "course", "business", "service", "software"),
    ("website", "organization"),
)
# ... and words of the URL.
_ADDRESS = tuple(
    frozenset(row.split())
    for row in (
        "forum forums community thread threads topic topics viewtopic discussion discussions "
        "question questions showthread board answers qa",
        "product products item dp buy pd prod pdp",
        "collection collections category categories catalog shop store browse department brand "
        "brands kategori",
        "doc docs documentation reference api manual guide guides wiki help tutorial kb learn "
        "developer developers",
        "blog news article articles post posts story stories berita artikel haber",
        "job jobs event events search tag tags list directory archive best top",
        "service services solutions pricing about features platform",
    )
)
COUNT = len(_THINGS) + len(_ADDRESS) + 5
_WORD = re.compile(r"[a-z]+")
_YEAR = re.compile(r"/(?:19|20)\d\d(?:/|-|$)")


def page_signs(metadata: Metadata) -> list[float]:
    """Return the signs of a page, each 0 to 1."""
    address = metadata.url[:500].lower().partition("://")[2]
    host, _, path = address.partition("/")
    path = path.partition("?")[0]
    words = set(_WORD.findall(f"{host} {path}"))
    last = path.rstrip("/").rpartition("/")[2]
    return [
        *_any_of(" ".join(metadata.schema_types)),
        *(float(not words.isdisjoint(row)) for row in _ADDRESS),
        float(bool(address) and not path),
        min(path.count("/"), 6) / 6,
        min(last.count("-"), 10) / 10,
        float(any(sign.isdigit() for sign in last)),
        float(_YEAR.search(f"/{path}") is not None),
    ]


@lru_cache(maxsize=256)
def _any_of(types: str) -> list[float]:
    return [float(any(name in types for name in names)) for names in _THINGS]
