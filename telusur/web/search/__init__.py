"""Search pages: the form, hits, facets, columns, feeds; `web/api/` answers `/search.json`."""
