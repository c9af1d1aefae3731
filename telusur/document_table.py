"""The fields of a document as the other parts ask for them, all taken from `models.Document`."""

from telusur.documents import PAGE_FIELDS, SITE, facets_of, read_fields
from telusur.models import Document

DOCUMENT_FIELDS = read_fields(Document)
#: The facets of a search by name, each with the field that it counts.
FIELD_FACETS = facets_of(DOCUMENT_FIELDS)
#: The facets that count values as they are, and not dates in steps.
VALUE_FACETS = {name: pair for name, pair in FIELD_FACETS.items() if not pair[1].step}
#: The words that ask for a field of a document in a query: `site:`, `lang:`, `title:`, `before:`.
QUERY_WORDS = tuple(
    dict.fromkeys(
        [facet.word for _, facet in VALUE_FACETS.values()]
        + [word for field in DOCUMENT_FIELDS for word in field.words]
    )
)
#: The fields of a document that its hits have.
HIT_FIELDS = tuple(field for field in DOCUMENT_FIELDS if field.hits_since)
#: Those that lists of hits show beside the title.
HIT_TAGS = tuple(field for field in HIT_FIELDS if field.is_tag)
#: The fields that describe the page in one value: `telusur show` lists them as metadata.
METADATA_FIELDS = tuple(field for field in DOCUMENT_FIELDS if field.is_metadata)
#: The fields of a page that `telusur export` gives, first those of its fetch.
EXPORTED = tuple(
    dict.fromkeys(
        [name for name, _, _ in PAGE_FIELDS]
        + [field.name for field in DOCUMENT_FIELDS if field.is_stored]
    )
)
#: The fields that `telusur search --columns` looks through, by the names that people type.
SEARCHED = {
    field.short_name: field
    for field in (*DOCUMENT_FIELDS, SITE)
    if field.is_stored and (field.is_text or field.encoding == "json")
}
