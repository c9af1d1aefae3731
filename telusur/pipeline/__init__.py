"""Who does what in which process of a crawl: scouter, parsers, recorder, indexer."""
