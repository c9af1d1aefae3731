"""An index of pages with tantivy, for the peers that do all of Telusur's work."""

from pathlib import Path

import tantivy

HEAP_BYTES = 50_000_000
# Telusur commits every 400 documents at most, so that they are found within seconds.
COMMIT_EVERY = 1000


class PageIndex:
    """Title and text with English stems, searchable after each commit."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True)
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("url", stored=True, tokenizer_name="raw")
        for name in ("title", "text"):
            schema.add_text_field(name, stored=True, tokenizer_name="en_stem")
        self._writer = tantivy.Index(schema.build(), str(directory)).writer(HEAP_BYTES, 1)
        self._count = 0

    def add(self, url: str, title: str, text: str) -> None:
        """Index one page."""
        self._writer.add_document(tantivy.Document(url=url, title=title, text=text))
        self._count += 1
        if self._count % COMMIT_EVERY == 0:
            self._writer.commit()

    def close(self) -> None:
        """Commit the last pages and wait for merges."""
        self._writer.commit()
        self._writer.wait_merging_threads()
