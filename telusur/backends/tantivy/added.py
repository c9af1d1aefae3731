"""Which documents an index may have, remembered in a megabyte: others need not be deleted first."""

_BITS = 1 << 23


class AddedDocuments:
    """The documents added to an index that was empty; a few others may pass for added.

    Deleting a document that is not there takes a tenth of the time of adding it: tantivy looks for
    it in every segment. Of several million documents most pass for added.
    """

    def __init__(self) -> None:
        self._bits = bytearray(_BITS // 8)

    def may_have(self, url_id: bytes) -> bool:
        """Tell whether a document may have been added."""
        first, second = _places_of(url_id)
        bits = self._bits
        return bool(bits[first >> 3] >> (first & 7) & bits[second >> 3] >> (second & 7) & 1)

    def add(self, url_id: bytes) -> None:
        """Remember a document."""
        for place in _places_of(url_id):
            self._bits[place >> 3] |= 1 << (place & 7)


def _places_of(url_id: bytes) -> tuple[int, int]:
    """Return two bits; an id is a hash, so that any part of it is random."""
    number = int.from_bytes(url_id[:8], "little")
    return number % _BITS, (number >> 32) % _BITS
