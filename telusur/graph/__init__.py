"""Links in, ranks and maps out: the link graph of a collection."""
