"""From typed text to a query: pieces, syntax, words, filters."""
