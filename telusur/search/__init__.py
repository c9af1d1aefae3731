"""Query in, hits out: understand the query, search the index, explain the hits."""
