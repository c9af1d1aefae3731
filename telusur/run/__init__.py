"""The processes of a crawl and how they are wired: scouter, parsers, recorder, indexer."""
