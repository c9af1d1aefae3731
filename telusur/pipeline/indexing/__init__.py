"""Brings the catalogue into the index: the indexer process, ranks, link texts, vectors."""
