"""A collection in SQLite: catalogue, frontier, reports and the web of links."""
