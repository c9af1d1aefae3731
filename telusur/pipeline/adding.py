"""Documents that did not come from a crawl, put into the catalogue."""

from collections.abc import Iterable

from telusur.adapters.document_row import pack_fields
from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.crawl.urls import normalize_url, site_of
from telusur.errors import UsageError
from telusur.language.detect import detect_language
from telusur.models import Document, url_id_of
from telusur.run.parsing import text_digest


def put_documents(catalogue: SqliteCatalogue, documents: Iterable[Document], now: float) -> int:
    """Store documents; return how many. The caller owns the transaction."""
    count = 0
    for document in documents:
        key = normalize_url(document.url)
        if key is None:
            raise UsageError(f"{document.url!r} is not a web address; every document needs one.")
        try:
            pack_fields(document.fields)
        except (TypeError, ValueError) as error:
            raise UsageError(f"{document.url}: its fields do not fit into JSON: {error}.") from None
        document.language = document.language or detect_language(document.text)
        catalogue.put_document(
            url_id_of(key), document, site=site_of(document.url), fetched_at=now,
            digest=text_digest(document), canonical=None, not_indexed="",
        )  # fmt: skip
        count += 1
    return count
