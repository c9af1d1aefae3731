"""What was learned about the sites of a collection, for people."""
