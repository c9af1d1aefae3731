"""Search: the form, hits, facets, columns, feeds."""
