"""Help for searching: spelling, completion, topics, related pages."""
