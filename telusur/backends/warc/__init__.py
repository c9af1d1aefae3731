"""The archive as WARC files."""
