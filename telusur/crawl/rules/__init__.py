"""What may be fetched: robots, scope, traps, sitemaps, duplicates, verdicts."""
