"""The frontier in SQLite: new URLs, leases, scores, and rejudging when limits change."""
