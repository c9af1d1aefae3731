"""Documents in, postings out: what an index is asked, and what of a document it holds."""
