"""A store in memory: the reference implementation of the contracts in `store/`.

It keeps nothing when the process ends. Tests use it, and authors of backends can read here
what each call does: the code is short rather than fast.
"""

from telusur.memory.blobs import MemoryBlobs
from telusur.memory.control import MemoryControl
from telusur.memory.index.index import IndexShelf
from telusur.memory.store import MemoryStore
from telusur.memory.vectors import VectorShelf

__all__ = ["IndexShelf", "MemoryBlobs", "MemoryControl", "MemoryStore", "VectorShelf"]
