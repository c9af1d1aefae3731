"""Reads pages from the archive: response, HTML, and parts of the page."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from telusur.document_table import METADATA_FIELDS
from telusur.errors import CollectionError
from telusur.extract.media_types import is_file
from telusur.models import Document, Link, Page
from telusur.settings import CrawlSettings
from telusur.store.reader import CatalogueReader

# Searches have this class, too, and read no page from the archive.
if TYPE_CHECKING:
    from telusur.extract.threads.found import PageDiscussion
    from telusur.extract.writing.part_records import Image, PageParts


class StoredPages(ABC):
    """The archived data of pages, besides their documents."""

    _reader: CatalogueReader

    @abstractmethod
    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""

    @abstractmethod
    def _identify(self, url: str) -> bytes | None:
        """Return the url_id of a page; None if the URL is not a web address."""

    def page(self, url: str) -> Page | None:
        """Return the newest response for a URL from the archive, or None."""
        url_id = self._identify(url)
        return self._reader.page(url_id, url) if url_id else None

    def links(self, url: str) -> list[Link]:
        """Return the links of a page in reading order."""
        url_id = self._identify(url)
        return [stored.link for stored in self._reader.links(url_id)] if url_id else []

    def parts(self, url: str) -> "PageParts | None":
        """Read forms, tables, scripts, images, lists, styles and metadata from the archive."""
        parts = self._read_parts(url, with_metadata=True)
        document = self.document(url)
        if parts is None or document is None:
            return parts
        # What the collection has was perhaps changed by hooks, or does not come from the page.
        for row in METADATA_FIELDS:
            if row.is_stored and (stored := getattr(document, row.name)):
                setattr(parts.metadata, row.name, stored)
        return parts

    def _read_parts(self, url: str, *, with_metadata: bool = False) -> "PageParts | None":
        from telusur.extract.writing.parts import read_parts

        stored = self.html(url)
        if stored is None:
            return None
        html, kind = stored
        return read_parts(html, url, content_type=kind, with_metadata=with_metadata)

    def discussion(self, url: str) -> "PageDiscussion | None":
        """Read the posts of a thread and the comments of readers from the archive."""
        from telusur.extract.document import extract_document
        from telusur.extract.threads.found import PageDiscussion

        stored = self.html(url)
        if stored is None:
            return None
        document = extract_document(stored[0], url, content_type=stored[1])
        return PageDiscussion(document.page_type, tuple(document.posts), tuple(document.comments))

    def images(self, url: str) -> "Sequence[Image] | None":
        """Return the images on a stored page; its other parts are not read."""
        from telusur.extract.writing.parts import read_images

        stored = self.html(url)
        return None if stored is None else read_images(stored[0], url, content_type=stored[1])

    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page as HTML, plain text included, and its Content-Type; or None.

        A rendered page is returned as rendered: that is what was indexed.
        """
        from telusur.extract.page.content_coding import ContentCodingError, decode_content
        from telusur.extract.page.plain import as_page

        url_id = self._identify(url)
        page = self._reader.page(url_id, url) if url_id else None
        if page is None or url_id is None:
            return None
        if (rendered := self._reader.rendered(url_id)) is not None:
            return rendered, "text/html; charset=utf-8"
        if is_file(page.content_type):
            return None
        try:
            coding = page.header("content-encoding")
            body, _ = decode_content(page.body, coding, CrawlSettings().max_bytes)
        except ContentCodingError as error:
            raise CollectionError(f"{url}: the stored page cannot be read: {error}") from None
        content_type = page.header("content-type")
        return as_page(body, content_type), content_type
