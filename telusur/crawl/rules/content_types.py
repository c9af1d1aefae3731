"""Which responses a crawl keeps, by their media type."""

import re
from collections.abc import Sequence
from mimetypes import MimeTypes

from telusur.errors import UsageError

#: The types kept by default; a response without a type counts as a page.
DEFAULT_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "")
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)")


class ContentTypes:
    """The media types that a crawl keeps: single ones, and families such as `text/*`."""

    def __init__(self, asked: Sequence[str] = ()) -> None:
        """Take the user's types, or the default; refuse what is not a media type."""
        types = [each.strip().lower() for each in asked] or list(DEFAULT_TYPES)
        for each in types if asked else ():
            if not _TYPE.fullmatch(each):
                raise UsageError(
                    f"--content-type {each!r} is not a media type; name one such as text/html, "
                    "application/pdf or text/*."
                )
        self._is_asked = bool(asked)
        self._single = frozenset(types)
        self._families = tuple(each[:-1] for each in types if each.endswith("/*"))

    def keeps(self, media_type: str) -> bool:
        """Tell whether a response of this type is kept."""
        return media_type in self._single or media_type.startswith(self._families)

    def extensions(self) -> frozenset[str]:
        """Return the usual file extensions of the types that the user asked for."""
        if not self._is_asked:
            return frozenset()
        # Python's own table: those of the system differ from machine to machine.
        known = MimeTypes().types_map[True].items()
        return frozenset(extension[1:] for extension, kind in known if self.keeps(kind))
