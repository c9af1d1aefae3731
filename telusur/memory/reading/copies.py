"""Duplicates of pages."""

from collections.abc import Callable, Sequence

from telusur.crawl.urls.identity import normalize_url
from telusur.memory.reading.committed import documents_of
from telusur.memory.state import StoredDocument, Tables
from telusur.models import Reason, url_id_of
from telusur.store.views import CopyView

#: The most duplicates listed for each page, and of each kind for one page.
MOST_COPIES = 10
MOST_OF_A_KIND = 50
_NEAR = f"{Reason.DUPLICATE}: near "
_SAME = f"{Reason.DUPLICATE}: "
_CANONICAL = f"{Reason.CANONICAL}: "


def copies_among(tables: Tables, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the URLs of duplicates, for those of the pages that have any."""
    found = {}
    for url in urls:
        reasons = (_SAME + url, _NEAR + url)
        copies = (one for one in tables.documents.values() if one.not_indexed in reasons)
        found[url] = tuple(sorted(one.document.url for one in copies)[:MOST_COPIES])
    return {url: copies for url, copies in found.items() if copies}


def copies_of(tables: Tables, url_id: bytes) -> list[CopyView]:
    """Return the original that a page repeats, and its duplicates and near-duplicates."""
    own = tables.documents.get(url_id)
    if own is None:
        return []
    url = own.document.url
    tests: list[tuple[str, Callable[[StoredDocument], bool]]] = [
        ("same", lambda one: one.digest == own.digest),
        ("near", lambda one: one.not_indexed == _NEAR + url),
        ("same", lambda one: one.not_indexed == _SAME + url),
        ("canonical", lambda one: one.not_indexed == _CANONICAL + url),
    ]
    views = _original_of(tables, own)
    for how, is_copy in tests:
        others = [one for one in documents_of(tables) if one is not own and is_copy(one)]
        views += [
            CopyView(one.document.url, one.document.title, how) for one in others[:MOST_OF_A_KIND]
        ]
    first_of_each = {view.url: view for view in reversed(views) if view.url != url}
    return [view for view in views if first_of_each.get(view.url) is view]


def _original_of(tables: Tables, own: StoredDocument) -> list[CopyView]:
    """Return the page that a page repeats, if the catalogue says so."""
    for kind in (_NEAR, _SAME, _CANONICAL):
        if own.not_indexed.startswith(kind):
            original = own.not_indexed.removeprefix(kind)
            stored = tables.documents.get(url_id_of(normalize_url(original) or ""))
            return [CopyView(original, stored.document.title if stored else "", "original")]
    return []
