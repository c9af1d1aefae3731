"""The plan of a crawl, made before it starts: strategy, topic, examples, stored settings."""
