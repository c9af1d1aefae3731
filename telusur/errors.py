"""The exceptions a caller may see. Each carries one sentence: what, which, what to try.

TelusurError
├── UsageError           a setting, URL or argument makes no sense
├── CollectionError      the directory is missing, foreign, newer than this program, or damaged
│   └── CollectionBusy   another process is writing it
├── StorageError         the disk is full or refuses to write
└── SessionLost          a writer was found dead, and its work went to others

A page that cannot be fetched is not an exception: it is a `Page` with a reason.
"""


class TelusurError(Exception):
    """The root: catching this catches everything Telusur raises on purpose."""


class UsageError(TelusurError):
    """Something the caller gave makes no sense."""


class CollectionError(TelusurError):
    """The collection cannot be opened."""


class CollectionBusy(CollectionError):  # noqa: N818 - a state, not a fault
    """Another process is writing the collection."""


class StorageError(TelusurError):
    """The disk is full or refuses to write; everything committed before is kept."""


class SessionLost(TelusurError):  # noqa: N818 - a state, not a fault
    """The lease of this writer ran out and its hosts went to others; nothing may be written."""
