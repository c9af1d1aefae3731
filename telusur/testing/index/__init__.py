"""The suite of an index: what is written to it, and what a search finds."""
