"""Adds documents to the catalogue that did not come from a crawl."""

import json
from collections.abc import Iterable

from telusur.crawl.urls.identity import normalize_url, site_of
from telusur.errors import UsageError
from telusur.language.detect import detect_language
from telusur.language.reading_time import reading_minutes
from telusur.models import Document, url_id_of
from telusur.pipeline.parsing.page_parser import text_digest
from telusur.store.catalogue import Catalogue


def put_documents(catalogue: Catalogue, documents: Iterable[Document], now: float) -> int:
    """Store documents; return how many. The caller owns the transaction."""
    count = 0
    for document in documents:
        key = normalize_url(document.url)
        if key is None:
            raise UsageError(f"{document.url!r} is not a web address; every document needs one.")
        try:
            json.dumps(document.fields, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"{document.url}: its fields cannot be stored as JSON: {error}."
            ) from None
        document.language = document.language or detect_language(document.text)
        if not document.reading_minutes:
            document.reading_minutes = reading_minutes(document.text, document.language)
        catalogue.put_document(
            url_id_of(key), document, site=site_of(document.url), fetched_at=now,
            digest=text_digest(document.title, document.text), canonical=None, not_indexed="",
        )  # fmt: skip
        count += 1
    return count
