"""Pages about crawls: the list, the form, one crawl live, strategies compared."""
