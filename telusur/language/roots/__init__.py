"""Words by their root, nouns and verbs separately: English, Indonesian, Turkish."""
