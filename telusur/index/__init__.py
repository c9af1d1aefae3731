"""Documents in, postings out: the queries of an index, and the fields it stores."""
