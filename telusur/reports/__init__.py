"""Tools that read a collection: audit, export, verify, maps, words, comparisons."""
