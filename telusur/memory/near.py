"""Near-duplicates in memory."""

from telusur.crawl.rules.near_duplicates import THRESHOLD, similarity
from telusur.memory.state import Workspace
from telusur.store.records import Twin


class MemoryNearDuplicates:
    """Implements `telusur.store.catalogue.NearDuplicates` by comparing with every document."""

    def __init__(self, space: Workspace) -> None:
        self._space = space

    def find(self, url_id: bytes, title: str, signature: bytes) -> Twin | None:
        """Return an indexed near-duplicate with the same title."""
        tables = self._space.read()
        for other_id, other in tables.signatures.items():
            document = tables.documents.get(other_id)
            if document is None or document.not_indexed or other_id == url_id:
                continue
            is_alike = similarity(signature, other) >= THRESHOLD
            if is_alike and document.document.title == title:
                return Twin(other_id, document.document.url, document.canonical)
        return None

    def put(self, url_id: bytes, signature: bytes) -> None:
        """Store the signature of a document that goes into the index."""
        if signature:
            self._space.write().signatures[url_id] = signature
