"""Words of any language: the language of a text, its terms, and the similarity of two texts."""
