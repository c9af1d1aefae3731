"""From a fetched page to a parsed one: the pool of parser processes and what they run."""
