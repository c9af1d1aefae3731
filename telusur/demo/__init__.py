"""A web in a box: small invented sites to crawl, search, test and measure with."""
