"""Words by their root, nouns and verbs told apart: English, Indonesian, Turkish."""
