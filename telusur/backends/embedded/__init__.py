"""A collection in a directory: SQLite, WARC files, a tantivy index and plain files."""
