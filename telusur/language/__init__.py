"""Words of any language: which language a text is in, its terms, and how alike two texts are."""
