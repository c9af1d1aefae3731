"""The style sheets that a parser process has read; it asks for those that it does not know."""

import re
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple
from weakref import WeakValueDictionary

from telusur.crawl.urls.identity import site_of
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.style.sheet import MAX_SHEET_LENGTH, Sheet, read_sheet
from telusur.models import Page

#: Larger sheets are cut.
LARGEST_SHEET = MAX_SHEET_LENGTH
# Rules of all remembered sheets together; ten thousand take about 4 MB.
_MOST_RULES = 60_000
_MOST_SHEETS = 2_000
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_KINDS = ("text/css", "text/plain", "application/x-css", "")


class SheetFile(NamedTuple):
    """A style sheet as received."""

    body: bytes
    content_type: str = ""
    coding: str = ""

    @classmethod
    def of(cls, page: Page | None) -> "SheetFile | None":
        """Return the sheet of a response; None if it is none that a browser would use."""
        if page is None or page.status != 200 or page.content_type not in _KINDS:
            return None
        return cls(page.body, page.header("content-type"), page.header("content-encoding"))

    def text(self) -> str:
        """Return the sheet as text; what cannot be decoded is empty."""
        try:
            body, _ = decode_content(self.body, self.coding, LARGEST_SHEET)
        except ContentCodingError:
            return ""
        declared = _CHARSET.search(self.content_type)
        try:
            return body.decode(declared[1] if declared else "utf-8", "replace").lstrip("\ufeff")
        except (LookupError, UnicodeError):
            return body.decode("utf-8", "replace")


class SheetShelf:
    """Remembers read sheets by URL, the last used ones; equal sheets are read once."""

    def __init__(self) -> None:
        self._by_url: OrderedDict[str, Sheet | None] = OrderedDict()
        self._by_text: WeakValueDictionary[bytes, Sheet] = WeakValueDictionary()
        self._rules = 0

    def __reduce__(self) -> tuple[type["SheetShelf"], tuple[()]]:
        return (SheetShelf, ())

    def of_page(self, url: str, given: Mapping[str, SheetFile | None]) -> "SheetsOfPage":
        """Return the sheets for a page, with those that came along."""
        for name, file in given.items():
            if name not in self._by_url:
                self._put(name, None if file is None else self._read(file))
        found = {name: self._by_url.get(name) for name in given}
        return SheetsOfPage(self, site_of(url), found)

    def get(self, url: str) -> Sheet | None:
        """Return a sheet that is known."""
        self._by_url.move_to_end(url)
        return self._by_url[url]

    def __contains__(self, url: object) -> bool:
        return url in self._by_url

    def _read(self, file: SheetFile) -> Sheet:
        text = file.text()
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        sheet = self._by_text.get(digest)
        if sheet is None:
            sheet = self._by_text[digest] = read_sheet(text)
        return sheet

    def _put(self, url: str, sheet: Sheet | None) -> None:
        self._by_url[url] = sheet
        self._rules += sheet.size if sheet is not None else 0
        while self._rules > _MOST_RULES or len(self._by_url) > _MOST_SHEETS:
            if len(self._by_url) == 1:
                break
            _, old = self._by_url.popitem(last=False)
            self._rules -= old.size if old is not None else 0


class SheetsOfPage(dict[str, Sheet | None]):
    """The sheets of one page: those of other sites are left out, others may be missing."""

    def __init__(self, shelf: SheetShelf, site: str, given: Mapping[str, Sheet | None]) -> None:
        super().__init__(given)
        self._shelf = shelf
        self._site = site

    def __contains__(self, url: object) -> bool:
        if super().__contains__(url) or url in self._shelf:
            return True
        return not isinstance(url, str) or site_of(url) != self._site

    def get(self, url: str, default: Sheet | None = None) -> Sheet | None:  # type: ignore[override]
        """Return a sheet; None for one that cannot be had or is not known."""
        if super().__contains__(url):
            return super().get(url)
        return self._shelf.get(url) if url in self._shelf else default

    def __getitem__(self, url: str) -> Sheet | None:
        return self.get(url)
